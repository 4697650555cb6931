import type { Message, Part } from '@a2a-js/sdk';
import { textOf } from '../shared/parts';

/** A CSV found in a message, or the reason why there is none. */
export type FoundCsv = { kind: 'csv'; name: string; text: string } | { kind: 'none'; reason: string };

export const MAX_BYTES = 2_000_000;

const textTypes = /^(?:$|text\/|application\/(?:csv|vnd\.ms-excel|octet-stream)(?:;|$))/i;
const separators = [',', ';', '\t', '|'];

/** For requests about "the sample table", which can be tried without a file. */
const SAMPLE = [
  'product,month,sold,price',
  'Tea,2024-01,120,3.5',
  'Tea,2024-02,135,3.5',
  'Tea,2024-03,128,3.6',
  'Coffee,2024-01,310,2.9',
  'Coffee,2024-02,295,3.0',
  'Coffee,2024-03,,3.1',
  'Juice,2024-01,80,4.2',
  'Juice,2024-02,74,4.2',
  'Juice,2024-03,690,4.2',
].join('\n');

/** Looks for an attached file first, then for CSV in the text, then for a mention of the sample table. */
export function findCsv(message: Message): FoundCsv {
  const files = message.parts.filter(({ content }) => content?.$case === 'raw');
  const [file] = files.filter(isTextFile).concat(files);
  if (file) return readFile(file);
  if (message.parts.some(({ content }) => content?.$case === 'url')) {
    return { kind: 'none', reason: 'I do not fetch files from links. Attach the file itself, or paste its text.' };
  }
  const pasted = findPasted(textOf(message));
  if (pasted === null) {
    if (/\bsample (table|data|csv)\b/i.test(textOf(message))) return { kind: 'csv', name: 'sample.csv', text: SAMPLE };
    return { kind: 'none', reason: 'I found no CSV in your message.' };
  }
  return pasted.length > MAX_BYTES ? tooLarge(pasted.length) : { kind: 'csv', name: 'pasted.csv', text: pasted };
}

function isTextFile({ mediaType, filename }: Part): boolean {
  return textTypes.test(mediaType) || /\.(?:csv|tsv|txt)$/i.test(filename);
}

function readFile(part: Part): FoundCsv {
  const bytes = part.content?.$case === 'raw' ? part.content.value : Buffer.alloc(0);
  const name = part.filename || 'file.csv';
  if (bytes.length === 0) return { kind: 'none', reason: `${name} is empty.` };
  if (bytes.length > MAX_BYTES) return tooLarge(bytes.length);
  const text = isTextFile(part) ? decode(bytes) : null;
  if (text === null)
    return { kind: 'none', reason: `${name} is ${part.mediaType || 'a binary file'}; I read CSV only.` };
  return { kind: 'csv', name, text };
}

function tooLarge(bytes: number): FoundCsv {
  const megabytes = (bytes / 1_000_000).toFixed(1);
  return {
    kind: 'none',
    reason: `The CSV is ${megabytes} MB; I can read up to ${MAX_BYTES / 1_000_000} MB. Send an extract.`,
  };
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or otherwise Windows-1252; null for binary data. */
export function decode(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.subarray(0, 4096).includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Finds CSV within a text: a fenced block, otherwise the longest run of lines with the same number of cells. */
export function findPasted(text: string): string | null {
  const fenced = /```(?:csv|tsv|text|txt)?[ \t]*\r?\n([\s\S]+?)\r?\n```/i.exec(text)?.[1];
  if (fenced) return fenced;
  const lines = text.split(/\r\n|\n|\r/);
  const runs = separators.map((separator) => withoutProse(longestRun(lines, separator)));
  const [best] = runs.filter(isTable).sort((a, b) => b.lines.length - a.lines.length || b.cells - a.cells);
  return best ? best.lines.join('\n') : null;
}

interface Run {
  separator: string;
  /** Separators in each line. */
  cells: number;
  lines: string[];
}

/** Returns the longest run of lines with the same number of separators outside quotes. */
function longestRun(lines: string[], separator: string): Run {
  const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(separator).length - 1);
  let best = { from: 0, to: 0 };
  let from = 0;
  counts.forEach((count, index) => {
    if (count === 0 || count !== counts[from]) from = count === 0 ? index + 1 : index;
    if (index + 1 - from > best.to - best.from) best = { from, to: index + 1 };
  });
  return { separator, cells: counts[best.from] ?? 0, lines: lines.slice(best.from, best.to) };
}

/** Removes prose: "Please profile this, thanks:" has as many commas as some tables, but ends like a sentence. */
function withoutProse(run: Run): Run {
  const endsSentence = (line: string): boolean => /[:.!?]\s*$/.test(line);
  const [first, ...others] = run.lines;
  return first !== undefined && endsSentence(first) && !others.some(endsSentence) ? { ...run, lines: others } : run;
}

/** Distinguishes a table from prose, where commas are followed by spaces and rarely equal in number over many lines. */
function isTable({ separator, cells, lines }: Run): boolean {
  if (lines.length < 2) return false;
  const spaced = lines.join('\n').split(`${separator} `).length - 1;
  return separator === '\t' || spaced < (cells * lines.length) / 2 || (lines.length > 2 && cells > 1);
}
