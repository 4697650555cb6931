import fc from 'fast-check';

/** An event with these data lines. */
const eventOf = (name: string | null, data: string): string =>
  `${name === null ? '' : `event: ${name}\n`}data: ${data}\n\n`;

/** Text by which agents and proxies keep a stream of server-sent events open: comments, and events without an item. */
const keepAlive: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ': ping\n\n',
    ':\n\n',
    ': OPENROUTER PROCESSING\n\n',
    'event: ping\n\n',
    'retry: 500\n\n',
    'id: 7\n\n',
    'data\n\n',
    'data:\n\n',
    'data:\ndata:\n\n',
  ),
  fc
    .tuple(
      fc.constantFrom(null, 'ping', 'heartbeat', 'keep-alive', 'message'),
      fc.constantFrom(
        '',
        ' ',
        'ping',
        'PING',
        '[DONE]',
        'null',
        '0',
        '"ping"',
        '[]',
        '{}',
        '{"type":"ping"}',
        'keep-alive: 15',
      ),
    )
    .map(([name, data]) => eventOf(name, data)),
  fc.date({ noInvalidDate: true }).map((at) => eventOf('ping', at.toISOString())),
  fc.date({ noInvalidDate: true }).map((at) => eventOf('ping', at.toUTCString())),
);

/** The texts with up to three keep-alives before, between and after them. */
export function interleaved(texts: string[]): fc.Arbitrary<string> {
  const gap = fc.array(keepAlive, { maxLength: 3 }).map((all) => all.join(''));
  return fc
    .array(gap, { minLength: texts.length + 1, maxLength: texts.length + 1 })
    .map((gaps) => gaps.map((text, at) => text + (texts[at] ?? '')).join(''));
}
