import type { Message, Part } from '../wire.js';
import { askedTool } from './ask.js';
import { boundedJson, isObject, type JsonObject } from './json.js';
import { argumentNames, type McpTool, onlyTextArgument, requiredNames } from './tools.js';

/** What to do with a message. */
export type Route =
  | { kind: 'call'; tool: McpTool; args: JsonObject }
  /** `only`: the one tool to confirm. */
  | { kind: 'choose'; only?: McpTool; reason?: string }
  | { kind: 'fill'; tool: McpTool; values: JsonObject; reason?: string }
  /** A question in words. */
  | { kind: 'say'; text: string };

/** Suggests a tool for a message in words, or a question. */
export type ChooseTool = (
  text: string,
  tools: McpTool[],
  signal: AbortSignal,
) => Promise<{ tool: string; args: JsonObject } | { text: string }>;

/**
 * Returns what a message asks for. A typed call is data, or text that is JSON: `{tool, arguments}`. Words name a tool, or
 * are the argument of the tool that was asked about, or that the server has: if it requires exactly one text.
 */
export function routeMessage(parts: readonly Part[], tools: McpTool[], history: readonly Message[]): Route {
  const typed = parts.flatMap((part) => typedCall(part) ?? []);
  const [call] = typed;
  if (call) return routeCall(call, tools);
  const text = textOf(parts);
  if (text === '') return { kind: 'choose' };
  const named = findByWords(text, tools);
  if (named)
    return needsForm(named) ? { kind: 'fill', tool: named, values: {} } : { kind: 'call', tool: named, args: {} };
  const asked = history.findLast(({ role }) => role === 'ROLE_AGENT');
  const tool = (asked && askedTool(asked.parts, tools)) ?? (tools.length === 1 ? tools[0] : undefined);
  const argument = tool && onlyTextArgument(tool);
  if (tool && argument) return { kind: 'call', tool, args: { [argument]: text } };
  if (tool && needsForm(tool)) return { kind: 'fill', tool, values: {} };
  return { kind: 'choose' };
}

/**
 * Routes a message in words by a suggestion. A tool that may change something is not called by it: its form has the
 * suggested arguments, and the caller sends it.
 */
export async function routeBySuggestion(
  parts: readonly Part[],
  tools: McpTool[],
  { choose, signal }: { choose: ChooseTool; signal: AbortSignal },
): Promise<Route> {
  const text = textOf(parts);
  if (text === '') return { kind: 'choose' };
  const suggested = await choose(text, tools, signal);
  if ('text' in suggested) return { kind: 'say', text: suggested.text };
  const { tool: name, args } = suggested;
  const route = routeCall({ tool: name, args, isChoice: false }, tools);
  if (route.kind !== 'call' || route.tool.isReadOnly) return route;
  if (!needsForm(route.tool)) return { kind: 'choose', only: route.tool, reason: 'This may change something.' };
  return { kind: 'fill', tool: route.tool, values: args, reason: 'Please check this before it is called.' };
}

interface TypedCall {
  tool: string;
  /** Undefined if the message has none. */
  args: unknown;
  /** True if a user chose the tool in a form. */
  isChoice: boolean;
}

function typedCall({ data, text, metadata }: Part): TypedCall | null {
  const value = data ?? (text === undefined ? null : parseCall(text));
  if (!isObject(value) || typeof value.tool !== 'string') return null;
  return { tool: value.tool, args: value.arguments, isChoice: metadata?.['parley.view'] === 'form-answer' };
}

function parseCall(text: string): unknown {
  if (!text.trimStart().startsWith('{') || !text.includes('"tool"')) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function routeCall({ tool: name, args, isChoice }: TypedCall, tools: McpTool[]): Route {
  const tool = tools.find((other) => other.name === name) ?? tools.find(({ id }) => id === name);
  if (!tool) return { kind: 'choose', reason: `There is no tool "${name.slice(0, 60).toWellFormed()}".` };
  if (args === undefined && (requiredNames(tool).length > 0 || (isChoice && needsForm(tool))))
    return { kind: 'fill', tool, values: {} };
  const values = boundedJson(args ?? {});
  if (!isObject(values)) return { kind: 'fill', tool, values: {}, reason: '"arguments" must be an object.' };
  const missing = requiredNames(tool).filter((argument) => !Object.hasOwn(values, argument));
  if (missing.length === 0) return { kind: 'call', tool, args: values };
  const [first = ''] = missing;
  return { kind: 'fill', tool, values, reason: `"${first.slice(0, 60).toWellFormed()}" is required.` };
}

function textOf(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => part.text ?? [])
    .join('\n')
    .trim();
}

function needsForm(tool: McpTool): boolean {
  return argumentNames(tool).length > 0 || requiredNames(tool).length > 0;
}

/** Returns the tool that a text names, and nothing else. */
function findByWords(text: string, tools: McpTool[]): McpTool | null {
  if (text.length > 200) return null;
  const said = text.toLowerCase();
  const names = (tool: McpTool): string[] => [tool.id, tool.name, tool.title].map((name) => name.toLowerCase());
  const found = tools.filter((tool) => names(tool).includes(said));
  return found.length === 1 ? (found[0] ?? null) : null;
}
