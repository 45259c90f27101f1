/** A package is missing that only the embedded broker and the sample clients need. */
export class MissingPackageError extends Error {}

/**
 * Loads a module whose packages are optional, because only the embedded broker and the sample clients need them.
 *
 * @throws MissingPackageError (as the rejection), which names the package and the alternatives
 */
export async function loadOptional<T>(load: () => Promise<T>, what: string, advice: string): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const [, name] = /^Cannot find package '([^']+)'/.exec(message) ?? []
    if (code !== 'ERR_MODULE_NOT_FOUND' || name === undefined) throw error
    throw new MissingPackageError(
      `${what} the package ${name}, which is not installed: run \`npm install aedes mqtt mqtt-packet\`, or ${advice}`,
    )
  }
}
