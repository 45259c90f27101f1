/** Something promised, and whether it was kept. */
export interface Promised {
  readonly what: string
  readonly got: string
  readonly met: boolean
  /** Whether the command fails if it is not kept. Promises about time do not fail it: the machine has a say in them. */
  readonly gates: boolean
}
