import { type SkillSchemas, skillsExtension } from '../skills.js';
import { type McpServerInfo, type McpTransport, requestOnce } from './client.js';
import { boundedJson, cleanText, isObject, type JsonObject, listOf } from './json.js';

/** A tool of an MCP server, with bounded texts. */
export interface McpTool {
  /** Unique among the tools of the server: the id of its skill, and its name in typed calls. */
  id: string;
  /** The name for the server. */
  name: string;
  title: string;
  description: string;
  /** The schema of the arguments; null if it exceeds the limits of a message. */
  inputSchema: JsonObject | null;
  isReadOnly: boolean;
  isDestructive: boolean;
  /** The `ui://` resource that shows the result (MCP Apps); null if there is none. */
  uiResource: string | null;
}

/** Maximum tools that are read, and pages of their list. */
const MAX_TOOLS = 1_000;
const MAX_PAGES = 100;
/** Maximum skills of a card. All other tools can be called by their names. */
const MAX_SKILLS = 200;
/** Tools that the description of a card names. */
const NAMED_TOOLS = 8;
const MAX_NAME = 128;
const MAX_TITLE = 120;
const MAX_DESCRIPTION = 1_000;
const MAX_SCHEMA = 65_536;
/** Maximum characters of the schemas in a card. */
const MAX_CARD_SCHEMAS = 65_536;
/** Ids are sent back unchanged by forms, which permit these characters only. */
const MAX_ID = 60;

/**
 * Lists the tools of a server, at most 1,000, with unique ids.
 * @throws {McpError} with the server's error
 */
export async function listTools(transport: McpTransport, { signal }: { signal: AbortSignal }): Promise<McpTool[]> {
  const listed: unknown[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES && listed.length < MAX_TOOLS; page += 1) {
    const params = typeof cursor === 'string' ? { cursor } : {};
    const { tools, nextCursor } = await requestOnce(transport, { method: 'tools/list', params, signal });
    listed.push(...listOf(tools).slice(0, MAX_TOOLS));
    if (typeof nextCursor !== 'string' || nextCursor === '' || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return readTools(listed);
}

/**
 * Reads a list of tools. Tools without a usable name, and later tools with the same name, are left out. A name that is a
 * valid id is the id of its tool.
 */
function readTools(listed: unknown[]): McpTool[] {
  const named = new Map<string, JsonObject>();
  for (const value of listed.slice(0, MAX_TOOLS)) {
    const { name } = isObject(value) ? value : {};
    const isUsable = typeof name === 'string' && name !== '' && name.length <= MAX_NAME;
    if (isObject(value) && isUsable && !named.has(name)) named.set(name, value);
  }
  const ids = new Set([...named.keys()].filter((name) => idOf(name) === name));
  return [...named].map(([name, value]) => {
    const id = idOf(name) === name ? name : uniqueId(idOf(name), ids);
    ids.add(id);
    return readTool(value, { name, id });
  });
}

function readTool(value: JsonObject, names: { name: string; id: string }): McpTool {
  const annotations = isObject(value.annotations) ? value.annotations : {};
  const isReadOnly = annotations.readOnlyHint === true;
  return {
    ...names,
    title: cleanText(value.title ?? annotations.title, MAX_TITLE).replaceAll(/\s+/g, ' ') || names.id,
    description: cleanText(value.description, MAX_DESCRIPTION),
    inputSchema: readSchema(value.inputSchema),
    isReadOnly,
    isDestructive: !isReadOnly && annotations.destructiveHint === true,
    uiResource: uiResourceOf(value._meta),
  };
}

/** Returns a name with the characters that forms return unchanged. */
function idOf(name: string): string {
  return name.replaceAll(/[^\w.:/-]+/g, '-').slice(0, MAX_ID) || 'tool';
}

function uniqueId(base: string, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base.slice(0, MAX_ID - 5)}-${number}`;
    if (!taken.has(id)) return id;
  }
}

function readSchema(value: unknown): JsonObject | null {
  if (value === undefined) return {};
  const schema = boundedJson(value);
  return isObject(schema) && JSON.stringify(schema).length <= MAX_SCHEMA ? schema : null;
}

/** Reads the member of MCP Apps: `_meta.ui.resourceUri`, and its earlier name. */
function uiResourceOf(meta: unknown): string | null {
  if (!isObject(meta)) return null;
  const uri = isObject(meta.ui) ? meta.ui.resourceUri : meta['ui/resourceUri'];
  return typeof uri === 'string' && uri.startsWith('ui://') && uri.length <= 500 ? uri : null;
}

/** Returns the names of the arguments that a tool has. */
export function argumentNames({ inputSchema }: McpTool): string[] {
  return isObject(inputSchema?.properties) ? Object.keys(inputSchema.properties) : [];
}

/** Returns the arguments that a tool requires. */
export function requiredNames({ inputSchema }: McpTool): string[] {
  return listOf(inputSchema?.required).filter((name) => typeof name === 'string');
}

/** Returns the only required argument, if it is a text; null otherwise. */
export function onlyTextArgument(tool: McpTool): string | null {
  const [name, ...others] = requiredNames(tool);
  if (name === undefined || others.length > 0 || !isObject(tool.inputSchema?.properties)) return null;
  const { properties } = tool.inputSchema;
  const schema = Object.hasOwn(properties, name) ? properties[name] : null;
  return isObject(schema) && schema.type === 'string' && schema.enum === undefined ? name : null;
}

/** Returns an agent card of A2A 1.0 without URLs, whose skills are the tools. */
export function cardOfTools(server: McpServerInfo, tools: McpTool[]): JsonObject {
  const { name, title, version } = server;
  const shown = title || name;
  const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
  const titles = tools.slice(0, NAMED_TOOLS).map((tool) => tool.title);
  const named = titles.length === 0 ? '' : `: ${titles.join(', ')}${tools.length > titles.length ? ' and others' : ''}`;
  const typed = skillsExtension(schemasOf(tools.slice(0, MAX_SKILLS)));
  return {
    name: cleanText(shown, 80),
    description: `${shown} is an MCP server with ${count}${named}.`,
    version: cleanText(version, 60) || '1.0.0',
    capabilities: { streaming: true, ...(typed && { extensions: [typed] }) },
    defaultInputModes: ['application/json', 'text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: tools.slice(0, MAX_SKILLS).map(skillOf),
  };
}

/** Returns the schemas of tools, as many as fit into a card. */
function schemasOf(tools: McpTool[]): Record<string, SkillSchemas> {
  let left = MAX_CARD_SCHEMAS;
  return Object.fromEntries(
    tools.flatMap(({ id, inputSchema }) => {
      if (inputSchema === null) return [];
      left -= JSON.stringify(inputSchema).length;
      return left < 0 ? [] : [[id, { input: inputSchema }]];
    }),
  );
}

function skillOf(tool: McpTool): JsonObject {
  const { id, title, description, isReadOnly, isDestructive } = tool;
  const example = exampleOf(tool);
  return {
    id,
    name: title,
    description: description || title,
    tags: ['mcp', ...(isReadOnly ? ['read-only'] : []), ...(isDestructive ? ['destructive'] : [])],
    ...(example && { examples: [example] }),
  };
}

/**
 * Returns a typed call as an example, for a tool that changes nothing: anyone who tries an example runs it. Its arguments
 * are the examples and defaults of the schema.
 */
function exampleOf(tool: McpTool): string | null {
  if (!tool.isReadOnly || tool.inputSchema === null) return null;
  const properties = isObject(tool.inputSchema.properties) ? tool.inputSchema.properties : {};
  const args: JsonObject = {};
  for (const name of requiredNames(tool)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : null;
    const value = isObject(schema) ? (listOf(schema.examples)[0] ?? schema.default) : undefined;
    if (value === undefined || name === '__proto__') return null;
    args[name] = value;
  }
  const example = JSON.stringify({ tool: tool.id, ...(Object.keys(args).length > 0 && { arguments: args }) });
  return example.length <= MAX_DESCRIPTION ? example : null;
}
