import type { MqttExplainElement } from '../../lib/element/mqtt-explain.ts'
import { explain } from '../../lib/explain/index.ts'
import { ConnectReasonCode, ConnectReturnCode, ControlPacketType } from '../../lib/packets/index.ts'
import { announce, byId, create } from './dom.ts'
import { check, choice, field, optional, PropertyInputs, showMistakes, wordsOf } from './form-inputs.ts'
import { build, emptyForm, type FormValues, type FormVersion, valuesOf } from './form-values.ts'
import type { Link } from './link.ts'
import { explainOptions, type ReadAs } from './read-as.ts'
import { Tools } from './tools.ts'

/** A form that builds a CONNECT or a CONNACK. */
export class BuildView {
  readonly #form = byId<HTMLFormElement>('form')
  readonly #dump = byId<MqttExplainElement>('built')
  readonly #tools: Tools
  readonly #onChange: () => void
  readonly #props: PropertyInputs
  readonly #willProps: PropertyInputs
  readonly #connackProps: PropertyInputs
  #bytes: Uint8Array | undefined

  constructor(onChange: () => void) {
    this.#onChange = onChange
    const changed = (): void => this.#update()
    this.#props = new PropertyInputs('props', 'Properties', changed)
    this.#willProps = new PropertyInputs('will.props', 'Will properties', changed)
    this.#connackProps = new PropertyInputs('connack.props', 'Properties of the CONNACK', changed)
    this.#tools = new Tools(
      byId('build-tools'),
      () => this.link,
      (secrets) => this.#showSecrets(secrets),
    )
    this.#form.append(...this.#parts())
    this.#form.addEventListener('input', changed)
    this.#form.addEventListener('submit', (event) => event.preventDefault())
    this.#write(emptyForm)
    this.#tools.update(true)
  }

  get link(): Link {
    const { version, bridge } = this.#values
    const as: ReadAs = { version, allow: bridge && version !== '5' ? ['protocol-bridge-level'] : [] }
    return { view: 'build', packets: this.#bytes === undefined ? [] : [this.#bytes], as }
  }

  /** Fills the form from a packet. If the bytes aren't a packet, the form stays unchanged. */
  open({ packets: [bytes], as }: Link): void {
    if (bytes === undefined || bytes.length === 0) return
    // The form shows the decoded packet. If a constructor rejects a value, its input shows a mistake.
    const { packet } = explain(bytes, explainOptions(as))
    if (packet === undefined || !('protocolVersion' in packet)) return
    // The form can't build other packets.
    if (packet.type !== ControlPacketType.connect && packet.type !== ControlPacketType.connack) return
    this.#write(valuesOf(packet))
    // The form may change the bytes: inputs drop line breaks, and rules that were relaxed for reading apply again.
    if (this.#bytes !== undefined && this.#bytes.join() !== bytes.join()) {
      announce('The form builds different bytes from those that it was opened with.')
    }
    this.#tools.update(true)
    this.#showSecrets(false)
  }

  #parts(): HTMLElement[] {
    const text = (): HTMLInputElement => create('input', { type: 'text', spellcheck: false })
    const secret = create('input', { type: 'password', autocomplete: 'off' })
    const message = create('textarea', { rows: 2, spellcheck: false })
    const qos = create('select', {}, ...[0, 1, 2].map((level) => create('option', {}, `${level}`)))
    const will = create(
      'div',
      { id: 'part-will' },
      field('will.topic', 'Topic', text()),
      field('will.message', 'Message', message, 'text, or hex:00ff'),
      field('will.qos', 'QoS', qos),
      check('will.retain', 'Retain'),
      this.#willProps.root,
    )
    return [
      choice('kind', 'Packet', [
        ['connect', 'CONNECT'],
        ['connack', 'CONNACK'],
      ]),
      choice('version', 'Version', [
        ['3.1', 'MQTT 3.1'],
        ['3.1.1', 'MQTT 3.1.1'],
        ['5', 'MQTT 5.0'],
      ]),
      create('p', { id: 'mistake-', className: 'mistake' }),
      create(
        'div',
        { id: 'part-connect' },
        field('clientId', 'Client identifier', text()),
        field(
          'keepAlive',
          'Keep alive',
          create('input', { type: 'text', inputMode: 'numeric' }),
          'seconds, 0 turns it off',
        ),
        check('clean', 'Clean session'),
        check('bridge', 'Bridge bit'),
        ...optional('hasUserName', 'userName', 'User name', text()),
        ...optional('hasPassword', 'password', 'Password', secret, 'text, or hex:00ff'),
        check('hasWill', 'Will'),
        will,
        this.#props.root,
      ),
      create(
        'div',
        { id: 'part-connack' },
        field('code', 'Code', create('select')),
        check('sessionPresent', 'Session present'),
        this.#connackProps.root,
      ),
    ]
  }

  #input<Input extends HTMLElement = HTMLInputElement>(path: string): Input {
    return byId<Input>(`field-${path}`)
  }

  #radio(name: string): RadioNodeList {
    return this.#form.elements.namedItem(name) as RadioNodeList
  }

  get #values(): FormValues {
    const text = (path: string): string => this.#input(path).value
    const isOn = (path: string): boolean => this.#input(path).checked
    return {
      kind: this.#radio('kind').value as FormValues['kind'],
      version: this.#radio('version').value as FormVersion,
      clean: isOn('clean'),
      keepAlive: text('keepAlive'),
      clientId: text('clientId'),
      bridge: isOn('bridge'),
      userName: isOn('hasUserName') ? text('userName') : undefined,
      password: isOn('hasPassword') ? text('password') : undefined,
      will: !isOn('hasWill')
        ? undefined
        : {
            topic: text('will.topic'),
            message: text('will.message'),
            qos: Number(text('will.qos')),
            retain: isOn('will.retain'),
            props: this.#willProps.entries,
          },
      props: this.#props.entries,
      sessionPresent: isOn('sessionPresent'),
      code: Number(text('code')),
      connackProps: this.#connackProps.entries,
    }
  }

  #write(values: FormValues): void {
    const { will } = values
    this.#radio('kind').value = values.kind
    this.#radio('version').value = values.version
    const texts = {
      keepAlive: values.keepAlive,
      clientId: values.clientId,
      userName: values.userName ?? '',
      password: values.password ?? '',
      'will.topic': will?.topic ?? 'status/sensor-0042',
      'will.message': will?.message ?? 'offline',
      'will.qos': `${will?.qos ?? 0}`,
    }
    for (const [path, text] of Object.entries(texts)) this.#input(path).value = text
    const switches = {
      clean: values.clean,
      bridge: values.bridge,
      hasUserName: values.userName !== undefined,
      hasPassword: values.password !== undefined,
      hasWill: will !== undefined,
      'will.retain': will?.retain ?? false,
      sessionPresent: values.sessionPresent,
    }
    for (const [path, isOn] of Object.entries(switches)) this.#input(path).checked = isOn
    this.#props.entries = values.props
    this.#willProps.entries = will?.props ?? []
    this.#connackProps.entries = values.connackProps
    this.#writeCodes(values.version)
    this.#input('code').value = `${values.code}`
    this.#update()
  }

  /** Fills the menu of codes, which differ between 5.0 and earlier versions. The selected code stays if the version has it. */
  #writeCodes(version: FormVersion): void {
    const menu = this.#input<HTMLSelectElement>('code')
    const before = menu.value
    const codes = version === '5' ? ConnectReasonCode : ConnectReturnCode
    menu.replaceChildren(
      ...Object.entries(codes).map(([name, code]) =>
        create(
          'option',
          { value: `${code}` },
          `${version === '5' ? `0x${code.toString(16).padStart(2, '0')}` : code} ${wordsOf(name)}`,
        ),
      ),
    )
    if ([...menu.options].some(({ value }) => value === before)) menu.value = before
  }

  #showSecrets(secrets: boolean): void {
    this.#dump.toggleAttribute('secrets', secrets)
    for (const input of this.#form.querySelectorAll<HTMLInputElement>(
      'input[data-secret], input[type=password]',
    )) {
      input.setAttribute('data-secret', '')
      input.type = secrets ? 'text' : 'password'
    }
  }

  #update(): void {
    const values = this.#values
    const { kind, version } = values
    const isHidden: Readonly<Record<string, boolean>> = {
      'part-connect': kind !== 'connect',
      'part-connack': kind !== 'connack',
      'part-will': values.will === undefined,
    }
    for (const [id, hidden] of Object.entries(isHidden)) byId(id).hidden = hidden
    const hide = (path: string, hidden: boolean): void => {
      this.#input(path).closest<HTMLElement>('.field')!.hidden = hidden
    }
    hide('userName', values.userName === undefined)
    hide('password', values.password === undefined)
    hide('bridge', version === '5')
    hide('sessionPresent', version === '3.1')
    for (const props of [this.#props, this.#willProps, this.#connackProps])
      props.root.hidden = version !== '5'
    this.#input('clean').nextSibling!.textContent = version === '5' ? ' Clean start' : ' Clean session'
    this.#writeCodes(version)
    this.#show(this.#values)
  }

  #show(values: FormValues): void {
    const { packet, mistakes } = build(values)
    showMistakes(this.#form, mistakes)
    this.#bytes = packet?.bytes
    const verdict = byId('built-verdict')
    verdict.classList.toggle('bad', packet === undefined)
    verdict.replaceChildren(
      ...(packet === undefined
        ? [`No packet: ${mistakes.size === 1 ? 'one input is' : `${mistakes.size} inputs are`} wrong.`]
        : [`A packet of ${packet.size} bytes: `, create('code', {}, `${packet}`)]),
    )
    for (const id of ['built-card', 'build-tools']) byId(id).hidden = packet === undefined
    if (packet !== undefined) {
      this.#dump.bytes = packet.bytes
      const { as } = this.link
      this.#dump.setAttribute('protocol-version', as.version)
      this.#dump.setAttribute('allow', as.allow.join(' '))
      this.#tools.update(false)
    }
    this.#onChange()
  }
}
