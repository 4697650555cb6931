import type { Part } from '../wire.js';
import { isObject, type JsonObject } from './json.js';
import { argumentNames, type McpTool, requiredNames } from './tools.js';

/** Maximum tools among which a user chooses, and characters of one choice. */
const MAX_CHOICES = 200;
const MAX_CHOICE = 160;
/** A form with a larger schema is not sent, because no user could complete it. */
const MAX_FORM_SCHEMA = 32_768;
const MAX_SCHEMA_DEPTH = 24;

/** Returns the question which tool to call, as a form. `reason`: why the question is asked. */
export function askForTool(tools: McpTool[], reason?: string): Part[] {
  const choices = tools.slice(0, MAX_CHOICES).map(({ id, title, description }) => {
    const [summary = ''] = description.split('\n', 1);
    const text = summary === '' ? title : `${title}: ${summary}`;
    return { const: id, title: text.length <= MAX_CHOICE ? text : `${text.slice(0, MAX_CHOICE - 1).toWellFormed()}…` };
  });
  const more = tools.length > choices.length ? ` These are the first ${choices.length} of ${tools.length}.` : '';
  const message = `${reason ? `${reason} ` : ''}Which tool should be called?${more}`;
  const properties = { tool: { title: 'Tool', oneOf: choices } };
  return [{ data: formOf(message, { type: 'object', properties, required: ['tool'] }) }];
}

/**
 * Returns the question for a tool's arguments. Its answer is the typed call, `{tool, arguments}`. A tool whose schema is
 * too large is asked for in words.
 */
export function askForArguments(
  tool: McpTool,
  { values = {}, reason }: { values?: JsonObject; reason?: string } = {},
): Part[] {
  const { id, title, description } = tool;
  const schema = formSchemaOf(tool);
  const message = [reason, description || title].filter(Boolean).join('\n\n');
  if (!schema) {
    const names = requiredNames(tool).slice(0, 20).join(', ');
    const text = `${title} needs arguments${names === '' ? '' : `: ${names}`}. Send them as data: {"tool": "${id}", "arguments": {…}}.`;
    return [{ text: reason ? `${reason} ${text}` : text }];
  }
  const given = Object.keys(values).length > 0 ? { values: { arguments: values } } : {};
  return [{ data: { ...formOf(message, schema), submit: 'Call', ...given } }];
}

function formOf(message: string, schema: JsonObject): JsonObject {
  return { kind: 'form', message, schema };
}

/** Returns the schema of a typed call of the tool: references of its own schema are relative to the new root. */
function formSchemaOf(tool: McpTool): JsonObject | null {
  if (argumentNames(tool).length === 0 || tool.inputSchema === null) return null;
  const { title: _title, description: _description, $schema: _dialect, ...schema } = tool.inputSchema;
  const args = moveReferences(schema, MAX_SCHEMA_DEPTH);
  if (!isObject(args)) return null;
  const form = {
    type: 'object',
    properties: { tool: { const: tool.id }, arguments: { ...args, title: tool.title } },
    required: ['tool', 'arguments'],
  };
  return JSON.stringify(form).length <= MAX_FORM_SCHEMA ? form : null;
}

function moveReferences(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((element) => moveReferences(element, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      name === '$ref' && typeof member === 'string' && /^#(?:\/|$)/.test(member)
        ? [name, `#/properties/arguments${member.slice(1)}`]
        : [name, moveReferences(member, depth - 1)],
    ),
  );
}

/** Returns the tool for whose arguments a message asked; null for any other message. */
export function askedTool(parts: readonly Part[], tools: McpTool[]): McpTool | null {
  for (const { data } of parts) {
    const schema = isObject(data) && data.kind === 'form' ? data.schema : null;
    const properties = isObject(schema) ? schema.properties : null;
    const tool = isObject(properties) ? properties.tool : null;
    const id = isObject(tool) ? tool.const : null;
    const found = tools.find((other) => other.id === id);
    if (found) return found;
  }
  return null;
}
