/** Command of a message to the conformance agent. */
export type Command =
  | { kind: 'echo' | 'ask' | 'auth' | 'fail' | 'reject' | 'message' | 'whoami' | 'headers' }
  | { kind: 'stream' | 'slow'; count: number };

const MAX_CHUNKS = 10_000;

/** Parses a command; all other text is echoed. Ignores case and surrounding white space. */
export function parseCommand(text: string): Command {
  const word = text.trim().toLowerCase();
  switch (word) {
    case 'ask':
    case 'auth':
    case 'fail':
    case 'reject':
    case 'message':
    case 'whoami':
    case 'headers':
      return { kind: word };
    default:
      return parseCount(word) ?? { kind: 'echo' };
  }
}

function parseCount(text: string): Command | null {
  const match = /^(stream|slow) (\d{1,5})$/.exec(text);
  const count = Number(match?.[2]);
  if (!match || count < 1 || count > MAX_CHUNKS) return null;
  return { kind: match[1] === 'slow' ? 'slow' : 'stream', count };
}
