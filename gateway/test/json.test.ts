import { expect } from 'chai'
import { jwtPassword } from '../lib/authenticate/jwt.ts'
import { loadConfig } from '../lib/operate/config.ts'
import { parseJson, repeatedName } from '../lib/settings/json.ts'
import { configOf, Folder } from './support.ts'

/** Invalid texts. `sesame` is a secret, so no message may contain it. */
const mistakes: readonly (readonly [text: string, problem: string])[] = [
  ['', 'line 1, column 1: expected a value'],
  ['{\n', 'line 2, column 1: expected a name in quotes or }'],
  ['{"password": sesame}', 'line 1, column 14: expected a value'],
  ['{"password": "sesame}', 'line 1, column 14: expected a value'],
  ['{"password": "sesame\n"}', 'line 1, column 14: expected a value'],
  ['{\r\n  "password": "sesame"\r\n  "x": 1}', 'line 3, column 3: expected a comma or }'],
  ['{"a": ["sesame", ]}', 'line 1, column 18: expected a value'],
  ['{"a": ["sesame" "b"]}', 'line 1, column 17: expected a comma or ]'],
  ['{"sesame": 1,}', 'line 1, column 14: expected a name in quotes'],
  ['{"sesame" 1}', 'line 1, column 11: expected a colon'],
  ['{"a": {}, "b": [[], {}], "sesame": 012}', 'line 1, column 36: expected a value'],
  ['[1.5e3, -0, true, null, "\\u00e9\\n"] sesame', 'line 1, column 37: expected the end'],
  ['\ufeff{"sesame": 1}', 'line 1, column 1: expected a value'],
]

describe('gateway: JSON files', () => {
  it('give the position of a mistake, and quote nothing of the text', () => {
    for (const [text, problem] of mistakes) {
      expect(() => JSON.parse(text), text).to.throw(SyntaxError)
      expect(() => parseJson(text), text).to.throw(SyntaxError, new RegExp(`^${problem}$`))
    }
  })

  it('that are valid are parsed', () => {
    for (const text of ['1', ' [] ', '{"a": [1, {"b": null}], "c": "\\ud83d\\ude00"}']) {
      expect(parseJson(text)).to.deep.equal(JSON.parse(text))
    }
  })

  it('have the place of a name that is repeated in its object, because the first would be ignored', () => {
    const cases: readonly (readonly [text: string, place: string | undefined])[] = [
      ['{"a": {"b": 1},\n "b": [{"a": 1}, {"a": 2}, "a", "a"]}', undefined],
      ['{"limits": {"open": 1},\n  "limits": {}}', 'line 2, column 3'],
      ['[{"a": {"b": {}, "c": 1, "b": 2}}]', 'line 1, column 26'],
      ['{"a": 1, "\\u0061": 2}', 'line 1, column 10'],
      [' 1 ', undefined],
    ]
    for (const [text, place] of cases) expect(repeatedName(text), text).to.equal(place)
    const folder = new Folder()
    const file = folder.write('repeated.json', '{"limits": {"open": 1}, "limits": {"open": 2}}')
    expect(() => loadConfig(file)).to.throw(
      /repeated\.json: line 1, column 25: the object has this name already$/,
    )
    folder.remove()
  })

  it('with configuration or keys show no secret in messages', () => {
    const folder = new Folder()
    const file = folder.write('broken.json', '{"rewrite": {"password": sesame}}')
    const { authentication } = configOf({ authentication: { jwt: { keys: file } } })
    for (const act of [() => loadConfig(file), () => jwtPassword(authentication.jwt!)]) {
      expect(act).to.throw(/^\S+broken\.json:? is not (JSON|a JWKS): line 1, column 26: expected a value$/)
    }
    for (const text of ['[]', 'null', '{"keys": 5}', '{"keys": ["x"]}']) {
      folder.write('broken.json', text)
      expect(() => jwtPassword(authentication.jwt!), text).to.throw(/ is not a JWKS: it has no list of keys$/)
    }
    for (const text of [
      '{"keys": []}',
      '{"keys": [{"kty": "EC"}]}',
      '{"keys": [{"kty": "oct", "k": "YQ"}]}',
    ]) {
      folder.write('broken.json', text)
      expect(() => jwtPassword(authentication.jwt!), text).to.throw(
        / it has no public key that can be used with \w+, /,
      )
    }
    folder.remove()
  })
})
