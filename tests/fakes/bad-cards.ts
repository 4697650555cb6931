import { cardV03, cardV10 } from './cards';

/** A card with one error, and its position. */
export interface BadCard {
  title: string;
  rule: string;
  pointer: string;
  /** The bytes, without the marker. */
  bytes: Buffer;
  line: number;
  column: number;
}

const mark = '¶';

/** Removes the marker from a text and returns its position; lines and columns count from 1. */
function marked(title: string, at: { rule: string; pointer?: string }, text: string): BadCard {
  const offset = text.indexOf(mark);
  if (offset === -1) throw new Error(`the card "${title}" has no mark`);
  const before = text.slice(0, offset).split(/\r\n|\n/);
  const bytes = Buffer.from(text.replace(mark, ''));
  return {
    title,
    rule: at.rule,
    pointer: at.pointer ?? '',
    bytes,
    line: before.length,
    column: (before.at(-1) ?? '').length + 1,
  };
}

/** A pretty-printed card with the first `find` replaced; the replacement contains the marker. */
function changed(card: object, find: string, replacement: string): string {
  const text = JSON.stringify(card, null, 2);
  if (!text.includes(find)) throw new Error(`the card has no ${find}`);
  return text.replace(find, () => replacement);
}

/** The bytes of a text with a byte sequence that is not valid text. */
function withBytes(bad: BadCard, placeholder: string, bytes: number[]): BadCard {
  const at = bad.bytes.indexOf(placeholder);
  const rest = bad.bytes.subarray(at + Buffer.byteLength(placeholder));
  return { ...bad, bytes: Buffer.concat([bad.bytes.subarray(0, at), Buffer.from(bytes), rest]) };
}

const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;

/** Cards that cannot be called, one rule each, for an agent at `base`. */
export function badCards(base: string): BadCard[] {
  const v10 = cardV10(base);
  const v03 = cardV03(base);
  const url = `"url": "${base}/a2a"`;
  return [
    marked('an empty response', { rule: 'json.syntax' }, '¶'),
    marked('an HTML page', { rule: 'json.syntax' }, '¶<!doctype html><title>Welcome</title>'),
    marked('text after the card', { rule: 'json.syntax' }, `${JSON.stringify(v10)}\n¶{}`),
    marked('a trailing comma', { rule: 'json.syntax' }, changed(v10, '"version": "2.1.0",', '"version": "2.1.0",¶,')),
    marked('a comment', { rule: 'json.syntax' }, changed(v10, '"version"', '¶// the version\n  "version"')),
    marked('single quotes', { rule: 'json.syntax' }, changed(v10, '"2.1.0"', "¶'2.1.0'")),
    marked('a text that never ends', { rule: 'json.syntax' }, changed(v10, '"2.1.0",', '¶"2.1.0,')),
    marked('a raw line break in a text', { rule: 'json.syntax' }, changed(v10, '"2.1.0"', '¶"2.1\t.0"')),
    marked('a no-break space between members', { rule: 'json.syntax' }, changed(v10, '"version"', '¶\u00a0"version"')),
    marked(
      '65 levels',
      { rule: 'json.depth' },
      changed(v10, '"version"', `"x": ${'['.repeat(63)}¶${nested(2)}${']'.repeat(63)}, "version"`),
    ),
    marked(
      'a number beyond all bounds',
      { rule: 'json.number', pointer: '/x' },
      changed(v10, '"version"', '"x": ¶1e999, "version"'),
    ),
    marked(
      'the character U+0000',
      { rule: 'json.character', pointer: '/x' },
      changed(v10, '"version"', '"x": ¶"a\\u0000b", "version"'),
    ),
    marked(
      'half a surrogate pair',
      { rule: 'json.character', pointer: '/x' },
      changed(v10, '"version"', '"x": ¶"\\ud83d", "version"'),
    ),
    marked(
      'a member twice',
      { rule: 'json.duplicate-member', pointer: '/name' },
      changed(v10, '"version"', '¶"name": "Evil",\n  "version"'),
    ),
    marked(
      'a member twice by escape',
      { rule: 'json.duplicate-member', pointer: '/name' },
      changed(v10, '"version"', '¶"n\\u0061me": "Evil", "version"'),
    ),
    marked(
      '__proto__ as a member',
      { rule: 'json.forbidden-member', pointer: '/capabilities/__proto__' },
      changed(v10, '"streaming"', '¶"__proto__": {"admin": true},\n    "streaming"'),
    ),
    withBytes(
      marked(
        'a byte that is not UTF-8',
        { rule: 'text.utf8' },
        changed(v10, 'Translates documents', 'Übersetzt ¶@@documents'),
      ),
      '@@',
      [0xfc],
    ),
    marked('a list instead of a card', { rule: 'card.object' }, `\n  ¶[${JSON.stringify(v10)}]`),
    marked('A2A 9.9', { rule: 'version.unsupported', pointer: '/protocolVersion' }, changed(v03, '"0.3.0"', '¶"9.9"')),
    marked('no name', { rule: 'member.required', pointer: '/name' }, `\n ¶${changed(v10, '"name"', '"title"')}`),
    marked('an empty name', { rule: 'member.empty', pointer: '/name' }, changed(v10, '"Translator"', '¶"  "')),
    marked(
      'a name of zero-width characters',
      { rule: 'member.empty', pointer: '/name' },
      changed(v10, '"Translator"', '¶"\\u200b\\u200b"'),
    ),
    marked('no address', { rule: 'member.required', pointer: '/url' }, `¶${changed(v03, url, '"address": "x"')}`),
    marked('a relative address', { rule: 'url.absolute', pointer: '/url' }, changed(v03, `"${base}/a2a"`, '¶"/a2a"')),
    marked(
      'an address inside',
      { rule: 'endpoint.refused', pointer: '/url' },
      changed(v03, `"${base}/a2a"`, '¶"https://169.254.169.254/latest/meta-data"'),
    ),
    marked(
      'an address that is not http',
      { rule: 'endpoint.refused', pointer: '/supportedInterfaces/0/url' },
      changed(v10, `"${base}/a2a"`, '¶"javascript:alert(1)"'),
    ),
    marked(
      'no interface',
      { rule: 'interface.none', pointer: '/supportedInterfaces' },
      changed({ ...v10, supportedInterfaces: [] }, '"supportedInterfaces": []', '"supportedInterfaces": ¶[]'),
    ),
    marked(
      'gRPC of another version alone',
      { rule: 'interface.binding', pointer: '/supportedInterfaces/0/protocolBinding' },
      changed(
        {
          ...v10,
          supportedInterfaces: [{ url: `${base}/a2a`, protocolBinding: 'GRPC', protocolVersion: '0.3' }],
        },
        '"GRPC"',
        '¶"GRPC"',
      ),
    ),
    marked(
      'gRPC alone, in 0.3',
      { rule: 'interface.binding', pointer: '/preferredTransport' },
      changed({ ...v03, preferredTransport: 'GRPC' }, '"GRPC"', '¶"GRPC"'),
    ),
    marked(
      'an interface of another version',
      { rule: 'interface.version', pointer: '/supportedInterfaces/0/protocolVersion' },
      changed(v10, '"protocolVersion": "1.0"', '"protocolVersion": ¶"2.0"'),
    ),
    marked(
      'interfaces that are no list',
      { rule: 'interface.none', pointer: '/supportedInterfaces' },
      changed({ ...v10, supportedInterfaces: {} }, '"supportedInterfaces": {}', '"supportedInterfaces": ¶{}'),
    ),
  ];
}

/** Cards that violate the specification in one point but can be called, for an agent at `base`. */
export function flawedCards(base: string): BadCard[] {
  const v10 = cardV10(base);
  const v03 = cardV03(base);
  const url = `"url": "${base}/a2a"`;
  return [
    marked(
      'a name of 81 characters',
      { rule: 'member.too-long', pointer: '/name' },
      changed(v10, '"Translator"', `¶"${'n'.repeat(81)}"`),
    ),
    marked('a number as name', { rule: 'member.type', pointer: '/name' }, changed(v10, '"Translator"', '¶42')),
    marked(
      'no description',
      { rule: 'member.required', pointer: '/description' },
      `¶${changed(v03, '"description"', '"about"')}`,
    ),
    marked(
      'a description of 2,001 characters',
      { rule: 'member.too-long', pointer: '/description' },
      changed(v10, '"Translates documents between languages."', `¶"${'d'.repeat(2001)}"`),
    ),
    marked(
      'no version',
      { rule: 'member.required', pointer: '/version' },
      `¶${changed(v10, '"version"', '"release"')}`,
    ),
    marked(
      'an interface without version',
      { rule: 'member.required', pointer: '/supportedInterfaces/0/protocolVersion' },
      changed(
        { ...v10, supportedInterfaces: [{ url: `${base}/a2a`, protocolBinding: 'JSONRPC' }] },
        `{\n      ${url}`,
        `¶{\n      ${url}`,
      ),
    ),
    marked(
      'capabilities that are a list',
      { rule: 'member.type', pointer: '/capabilities' },
      changed({ ...v10, capabilities: [] }, '"capabilities": []', '"capabilities": ¶[]'),
    ),
    marked(
      'streaming: "yes"',
      { rule: 'member.type', pointer: '/capabilities/streaming' },
      changed(v10, '"streaming": true', '"streaming": ¶"yes"'),
    ),
    marked(
      'a mode that is no media type',
      { rule: 'mode.media-type', pointer: '/defaultOutputModes/1' },
      changed(v10, '"application/json"', '¶"JSON please"'),
    ),
    marked('no skills', { rule: 'member.required', pointer: '/skills' }, `¶${changed(v10, '"skills"', '"abilities"')}`),
    marked(
      'a skill that is a text',
      { rule: 'member.type', pointer: '/skills/0' },
      changed({ ...v10, skills: ['translate'] }, '"skills": [\n    "translate"', '"skills": [\n    ¶"translate"'),
    ),
    marked(
      'a skill without id',
      { rule: 'member.required', pointer: '/skills/0/id' },
      changed(v10, '{\n      "id": "translate",', '¶{'),
    ),
    marked(
      'two skills of one id',
      { rule: 'skill.duplicate-id', pointer: '/skills/1' },
      changed(
        {
          ...v10,
          skills: [
            { id: 'a', name: 'A' },
            { id: 'a', name: 'B' },
          ],
        },
        '{\n      "id": "a",\n      "name": "B"',
        '¶{\n      "id": "a",\n      "name": "B"',
      ),
    ),
    marked(
      'examples that are numbers',
      { rule: 'member.type', pointer: '/skills/0/examples/0' },
      changed(v10, '"Translate this letter into French"', '¶7'),
    ),
    marked(
      '51 tags on a skill',
      { rule: 'member.too-many', pointer: '/skills/0/tags' },
      changed(
        { ...v10, skills: [{ id: 'a', name: 'A', tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }] },
        '"tags": [',
        '"tags": ¶[',
      ),
    ),
    marked(
      'an extension without uri',
      { rule: 'member.required', pointer: '/capabilities/extensions/0/uri' },
      changed(
        { ...v10, capabilities: { extensions: [{ required: true }] } },
        '{\n        "required"',
        '¶{\n        "required"',
      ),
    ),
    marked(
      'an unknown kind of scheme',
      { rule: 'security.scheme', pointer: '/securitySchemes/bearer' },
      changed(
        { ...v03, securitySchemes: { bearer: { type: 'magic' } } },
        '{\n      "type": "magic"',
        '¶{\n      "type": "magic"',
      ),
    ),
    marked(
      'a requirement of an undeclared scheme',
      { rule: 'security.undefined-scheme', pointer: '/security/0/oauth' },
      changed({ ...v03, security: [{ oauth: [] }] }, '"oauth": []', '"oauth": ¶[]'),
    ),
    marked(
      'Windows line ends before the fault',
      { rule: 'member.type', pointer: '/version' },
      changed(v10, '"2.1.0"', '¶21').replace(/\n/g, '\r\n'),
    ),
    // a2aproject/a2a-samples: media types such as "task-status" in default output modes.
    marked(
      'the output mode task-status',
      { rule: 'mode.media-type', pointer: '/defaultOutputModes/1' },
      changed(v03, '"application/json"', '¶"task-status"'),
    ),
    // google/adk-python: the first skill's description is the whole instruction.
    marked(
      'a skill with a long instruction',
      { rule: 'member.too-long', pointer: '/skills/0/description' },
      changed(v03, '"Translates text between two languages."', `¶"${'I plan trips. '.repeat(3_000).trim()}"`),
    ),
    marked(
      'an unknown security scheme beside a usable one',
      { rule: 'security.scheme', pointer: '/securitySchemes/odd' },
      changed(
        { ...v03, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, odd: { type: 'dpop' } } },
        '{\n      "type": "dpop"',
        '¶{\n      "type": "dpop"',
      ),
    ),
    marked(
      '1.0 in the layout of 0.3',
      { rule: 'version.layout', pointer: '/protocolVersion' },
      changed(v03, '"0.3.0"', '¶"1.0"'),
    ),
    marked(
      '1 in the layout of 0.3',
      { rule: 'version.layout', pointer: '/protocolVersion' },
      changed(v03, '"0.3.0"', '¶"1"'),
    ),
    marked(
      'an empty version',
      { rule: 'version.missing', pointer: '/protocolVersion' },
      `¶${changed(v03, '"0.3.0"', '""')}`,
    ),
    marked(
      'the version of MCP',
      { rule: 'version.unknown', pointer: '/protocolVersion' },
      changed(v03, '"0.3.0"', '¶"2025-06-18"'),
    ),
    marked(
      'no version in 0.3',
      { rule: 'version.missing', pointer: '/protocolVersion' },
      `¶${changed(v03, '"protocolVersion"', '"v"')}`,
    ),
    marked(
      'REST for HTTP+JSON',
      { rule: 'interface.binding', pointer: '/supportedInterfaces/0/protocolBinding' },
      changed(v10, '"JSONRPC"', '¶"REST"'),
    ),
    marked(
      'REST for HTTP+JSON, in 0.3',
      { rule: 'interface.binding', pointer: '/preferredTransport' },
      changed(v03, '"JSONRPC"', '¶"REST"'),
    ),
    marked(
      'a binding named transport',
      { rule: 'member.spelling', pointer: '/supportedInterfaces/0/transport' },
      changed(v10, '"protocolBinding": "JSONRPC"', '"transport": ¶"JSONRPC"'),
    ),
    marked(
      'members in snake_case',
      { rule: 'member.spelling', pointer: '/default_input_modes' },
      changed(v03, '"defaultInputModes": [', '"default_input_modes": ¶['),
    ),
    marked(
      'an interface that must not be called beside one that may',
      { rule: 'endpoint.refused', pointer: '/url' },
      changed(
        {
          ...v03,
          url: 'https://169.254.169.254/a2a',
          additionalInterfaces: [{ url: `${base}/a2a`, transport: 'JSONRPC' }],
        },
        '"https://169.254.169.254/a2a"',
        '¶"https://169.254.169.254/a2a"',
      ),
    ),
    marked(
      'one tag in place of a list',
      { rule: 'member.type', pointer: '/skills/0/tags' },
      changed({ ...v03, skills: [{ id: 'a', name: 'A', description: 'A', tags: 'one' }] }, '"one"', '¶"one"'),
    ),
    marked(
      'an extension twice',
      { rule: 'extension.duplicate', pointer: '/capabilities/extensions/1' },
      changed(
        {
          ...v10,
          capabilities: {
            extensions: [{ uri: 'https://x.example/1' }, { uri: 'https://x.example/1', required: true }],
          },
        },
        '{\n        "uri": "https://x.example/1",\n        "required"',
        '¶{\n        "uri": "https://x.example/1",\n        "required"',
      ),
    ),
  ];
}
