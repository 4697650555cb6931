/**
 * regex-helper: explains a regular expression token by token, tries it on lines, and builds one from examples.
 *
 * Demonstrates: running input from callers. An expression such as `(a+)+$` can take years on some texts, so it runs in
 * a worker thread that is terminated after a time limit; the process stays responsive.
 */
import { Worker } from 'node:worker_threads';
import type { Turn, TurnOutput } from '@parley/agent/serve';
import { explain, repeatsRepetition } from './regex-tokens';

const TIME_LIMIT_MS = 500;
const MAX_LINES = 50;
const MAX_EXPRESSION = 500;
const MAX_TEXT = 20_000;

export const card = {
  name: 'Regex Helper',
  description:
    'Explains what a regular expression does, token by token, tries it on your lines, and builds one from examples. Warns of ' +
    'expressions that can take forever.',
  version: '1.0.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/markdown'],
  skills: [
    {
      id: 'explain',
      name: 'Explain a regular expression',
      description: 'Says in words what each part of a regex matches.',
      tags: ['regex', 'regular expressions', 'explain', 'developer tools'],
      examples: ['What does this regex do: ^\\d{4}-\\d{2}-\\d{2}$', 'Explain /^(?:https?):\\/\\/([^\\/]+)/i'],
    },
    {
      id: 'test',
      name: 'Test a regular expression',
      description: 'Shows which lines a regex matches, and what its groups capture.',
      tags: ['regex', 'test', 'match', 'developer tools'],
      examples: ['Test /^[A-Z]{2}\\d+$/ on:\nAB12\nab12\nXY9'],
    },
    {
      id: 'build',
      name: 'Build a regular expression',
      description: 'Writes a regex that matches all of your examples.',
      tags: ['regex', 'generate', 'examples', 'pattern'],
      examples: ['Build a regex that matches:\nAB-1234\nXY-77'],
    },
  ],
};

export async function* handle(turn: Turn): AsyncGenerator<TurnOutput> {
  const earlier = turn.history.filter(({ role }) => role === 'ROLE_USER').map(({ parts }) => parts[0]?.text ?? '');
  const answer = await answerTo([...earlier, turn.text].join('\n'));
  yield 'question' in answer ? turn.ask(answer.question) : { text: answer.text, mediaType: 'text/markdown' };
}

/** Returns the answer to the messages of one task. */
export async function answerTo(message: string): Promise<{ text: string } | { question: string }> {
  if (message.length > MAX_TEXT) return { question: `That is too long. Send up to ${MAX_TEXT} characters.` };
  const [first = '', ...rest] = message.trim().split(/\r?\n/, MAX_LINES + 1);
  const lines = rest.filter((line) => line !== '');
  if (/^[^/`]*\b(?:build|make|write|create|generate)\b/i.test(first)) return buildFrom(first, lines);
  const found = findExpression(first) ?? readExpression(lines.shift());
  if (!found) {
    return {
      question:
        'Which regular expression? Put it between slashes, as in `/^\\d+$/`. Add lines below it to test it, or say “build” with one example per line.',
    };
  }
  const { source, flags } = found;
  if (source.length > MAX_EXPRESSION)
    return { question: `I explain expressions of up to ${MAX_EXPRESSION} characters.` };
  try {
    new RegExp(source, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /, '') : 'it cannot be read';
    return { text: `${code(source)} is not a valid expression: ${reason}.` };
  }
  const rows = explain(source, flags).map(
    ({ text, meaning, depth }) => `${'  '.repeat(depth)}- ${code(text)}: ${meaning}`,
  );
  const warning = repeatsRepetition(source)
    ? '\n\n**Careful:** a repetition inside a repetition can take forever on text that almost matches.'
    : '';
  const results = lines.length === 0 ? '' : `\n\n${await testOn(lines, { source, flags })}`;
  return { text: `${rows.join('\n')}${warning}${results}` };
}

interface Expression {
  source: string;
  flags: string;
}

/**
 * Finds the expression in a line: between slashes or backticks, after a colon, or the only word with special
 * characters.
 */
function findExpression(whole: string): Expression | null {
  const line = whole.slice(0, 2 * MAX_EXPRESSION);
  const slashes = /(?:^|[\s`:])\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/([dgimsuy]*)/.exec(line);
  if (slashes?.[1]) return { source: slashes[1], flags: [...new Set(slashes[2])].join('') };
  const quoted = /`([^`]+)`/.exec(line)?.[1];
  if (quoted) return { source: quoted, flags: '' };
  const named = /\b(?:regex|regexp|expression|pattern|this|explain|test)\b[^:]*: *(\S.*)$/i.exec(line)?.[1];
  const source = named ?? line.split(/\s+/).find((word) => /[\\^$*+|[\]{}]|\(.*\)/.test(word));
  return source ? { source: source.trim(), flags: '' } : null;
}

/** A line that is an expression as a whole. */
function readExpression(line: string | undefined): Expression | null {
  return line === undefined ? null : (findExpression(line) ?? { source: line.trim(), flags: '' });
}

type Match = (string | null)[] | null;

async function testOn(lines: string[], expression: Expression): Promise<string> {
  const matches = await run(expression, lines);
  const shown = lines.map((line, index) => {
    const match = matches[index];
    // The worker was ended in the first line without a result.
    if (match === undefined)
      return `- ${code(line)}: ${index === matches.length ? 'took too long, stopped' : 'not tried'}`;
    if (match === null) return `- ${code(line)}: no match`;
    const [whole, ...groups] = match;
    const captured = groups.map((group, at) => `group ${at + 1} ${group === null ? 'nothing' : code(group)}`);
    return `- ${code(line)}: matches ${[code(whole ?? ''), ...captured].join(', ')}`;
  });
  return `**Your lines**\n\n${shown.join('\n')}`;
}

/** Code of the worker: sends the result of each line as soon as it is available. */
const program = `
const { parentPort, workerData: { source, flags, lines } } = require('node:worker_threads');
const expression = new RegExp(source, flags.replace(/[gy]/g, ''));
for (const line of lines) {
  const match = expression.exec(line);
  parentPort.postMessage(match && Array.from(match, (text) => text ?? null));
}`;

/** Returns the matches in each line; fewer entries than lines if the time limit was reached. */
export function run({ source, flags }: Expression, lines: string[]): Promise<Match[]> {
  return new Promise((resolve, reject) => {
    const results: Match[] = [];
    const worker = new Worker(program, {
      eval: true,
      workerData: { source, flags, lines },
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 32 },
    });
    const limit = setTimeout(() => worker.terminate(), TIME_LIMIT_MS);
    worker.on('message', (match: Match) => results.push(match));
    worker.once('error', reject);
    worker.once('exit', () => {
      clearTimeout(limit);
      resolve(results);
    });
  });
}

async function buildFrom(first: string, lines: string[]): Promise<{ text: string } | { question: string }> {
  const inline = /(?:\bfor|match(?:es|ing)?|like|from|examples?)\b:? *(\S.*)$/i
    .exec(first)?.[1]
    ?.split(/,\s*|\s+and\s+/);
  const examples = lines.length > 0 ? lines : (inline ?? []).map((text) => text.replace(/^["“`']|["”`']$/g, ''));
  if (examples.length === 0) return { question: 'Which texts should it match? Send one example per line.' };
  const source = build(examples);
  const matches = await run({ source, flags: 'u' }, examples);
  const note = examples.length === 1 ? ' More examples make it more precise.' : '';
  const checked = matches.every(Boolean) ? `It matches all ${examples.length} of your examples.` : '';
  const rows = explain(source, 'u').map(
    ({ text, meaning, depth }) => `${'  '.repeat(depth)}- ${code(text)}: ${meaning}`,
  );
  return { text: `\`\`\`\n${source}\n\`\`\`\n\n${checked}${note}\n\n${rows.join('\n')}` };
}

const classes: [RegExp, string][] = [
  [/^\d+/, '\\d'],
  [/^[A-Z]+/, '[A-Z]'],
  [/^[a-z]+/, '[a-z]'],
  [/^\p{L}+/u, '\\p{L}'],
  [/^\s+/, '\\s'],
];

/**
 * Builds an expression that matches the examples: runs of digits, letters or spaces become classes with the observed
 * lengths, and other characters are kept. Examples of different shapes become alternatives.
 */
export function build(examples: string[]): string {
  const shapes = new Map<string, { parts: string[]; lengths: number[][] }>();
  for (const example of examples) {
    const parts: string[] = [];
    const lengths: number[] = [];
    for (let rest = example; rest !== ''; ) {
      const [run, part] = classes.flatMap(([pattern, name]) => {
        const matched = pattern.exec(rest)?.[0];
        return matched ? [[matched, name]] : [];
      })[0] ?? [String.fromCodePoint(rest.codePointAt(0) ?? 0), ''];
      const text = String(run);
      parts.push(part || text.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'));
      lengths.push([...text].length);
      rest = rest.slice(text.length);
    }
    const shape = shapes.get(parts.join('\0')) ?? { parts, lengths: parts.map(() => []) };
    lengths.forEach((length, index) => void shape.lengths[index]?.push(length));
    shapes.set(parts.join('\0'), shape);
  }
  const written = [...shapes.values()].map(({ parts, lengths }) =>
    parts.map((part, index) => part + quantifier(lengths[index] ?? [])).join(''),
  );
  return written.length === 1 ? `^${written[0]}$` : `^(?:${written.join('|')})$`;
}

function quantifier(lengths: number[]): string {
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  if (least !== most) return `{${least},${most}}`;
  return least === 1 ? '' : `{${least}}`;
}

/** Formats any text as Markdown code. */
function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  return text.includes('`') || text.trim() !== text ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
