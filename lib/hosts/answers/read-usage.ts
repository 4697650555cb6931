import { isObject, type JsonObject, type JsonValue } from '../../protocol/json';

/** Tokens of one turn, as counted by the agent. */
export interface TokenUsage {
  input: number;
  output: number;
  total: number;
}

/** The usage of an agent that does not count tokens. */
export const NO_USAGE: TokenUsage = { input: 0, output: 0, total: 0 };

/** Maximum token count. A greater number is invalid; the sum of two counts stays exact. */
const MAX_COUNT = 1_000_000_000_000;

/** `usage` and `usageMetadata`, also with the prefix of a framework: `adk_usage_metadata`, `kagent_usage_metadata`. */
const usageKey = /^(?:[a-z]+_)?usage(?:_?metadata)?$/i;

// The names of OpenAI, Anthropic, the AI SDK and Gemini, without case and underscores.
const inputNames = new Set(['prompttokens', 'inputtokens', 'prompttokencount', 'inputtokencount']);
const outputNames = new Set([
  ...['completiontokens', 'outputtokens', 'completiontokencount', 'outputtokencount'],
  'candidatestokencount',
]);
const totalNames = new Set(['totaltokens', 'totaltokencount']);

/** The usage in the metadata of a message, an artifact or an event; null for none. */
export function usageIn(metadata: JsonObject | undefined): TokenUsage | null {
  for (const [key, value] of Object.entries(metadata ?? {})) {
    const usage = usageKey.test(key) && isObject(value) ? readUsage(value) : null;
    if (usage) return usage;
  }
  return null;
}

/** Anything but a whole number from 0 is not a count. A total is never less than its parts. */
function readUsage(counts: JsonObject): TokenUsage | null {
  const find = (names: Set<string>): number | undefined => {
    const found = Object.entries(counts).find(([name, value]) => names.has(foldName(name)) && isCount(value));
    return found && Number(found[1]);
  };
  const [input, output, total] = [find(inputNames), find(outputNames), find(totalNames)];
  if (input === undefined && output === undefined && total === undefined) return null;
  const sum = (input ?? 0) + (output ?? 0);
  return { input: input ?? 0, output: output ?? 0, total: Math.max(total ?? 0, sum) };
}

function foldName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

function isCount(value: JsonValue | undefined): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_COUNT;
}
