import { cleanLine, cleanText } from '../a2a/cards/clean-text';
import { joinedText } from '../a2a/core/message-parts';
import type { Part } from '../a2a/core/model';
import type { JsonObject, JsonValue } from '../json';
import { type Form, type FormField, findFormSource } from './form';
import { readForm } from './read-form';

/** Marks a message part as the answer to a form. */
export const ANSWER_METADATA = { 'parley.view': 'form-answer' } as const;

/** Returns the data of an answer, in the shape in which the agent asked. */
export function toAnswerData({ wire }: Pick<Form, 'wire'>, values: JsonObject): JsonObject {
  return wire === 'elicitation' ? { action: 'accept', content: values } : values;
}

/** Returns the values of an answer's data. */
export function valuesOfAnswer({ wire }: Pick<Form, 'wire'>, data: JsonObject): JsonObject {
  const { content } = data;
  return wire === 'elicitation' && typeof content === 'object' && content !== null && !Array.isArray(content)
    ? content
    : data;
}

/** Returns the value at a field's location in an answer. */
export function valueAt(values: JsonObject, { path }: Pick<FormField, 'path'>): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, name) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
        ? value[name]
        : undefined,
    values,
  );
}

/** Returns the question in a message as Markdown: its texts, and its forms with their fields. */
export function questionText(parts: readonly Part[]): string {
  const forms = parts.flatMap((part) => {
    const source = part.kind === 'data' ? findFormSource(part, true) : null;
    const form = source && readForm(source).form;
    return form ? [describeForm(form)] : [];
  });
  return [joinedText([...parts]), ...forms].filter((text) => text !== '').join('\n\n');
}

/** Returns the question with its fields as Markdown, for readers of text. Invisible characters are removed. */
export function describeForm({ title, message, fields }: Form): string {
  const asked = [title && `**${escaped(title)}**`, cleanText(message)].filter(Boolean).join('\n\n');
  const list = fields.flatMap((field) => (field.kind === 'fixed' ? [] : [`- ${describeField(field)}`])).join('\n');
  return [asked, list].filter(Boolean).join('\n\n');
}

function describeField(field: FormField): string {
  const { label, help, group, required } = field;
  const name = `**${escaped(group === '' ? label : `${group}: ${label}`)}**`;
  const kind = [typeInWords(field), required ? 'required' : 'optional'].filter(Boolean).join(', ');
  return `${name} (${kind})${help === '' ? '' : `: ${escaped(help)}`}`;
}

function typeInWords(field: FormField): string {
  switch (field.kind) {
    case 'text':
      return field.format === 'url' ? 'URL' : field.format === 'tel' ? 'phone number' : (field.format ?? '');
    case 'number':
      return field.currency ? `amount in ${field.currency}` : field.isInteger ? 'whole number' : 'number';
    case 'date':
      return 'date, YYYY-MM-DD';
    case 'time':
      return 'time, HH:MM';
    case 'date-time':
      return 'date and time';
    case 'boolean':
      return 'yes or no';
    case 'choice':
      return `one of: ${optionsInWords(field.options)}`;
    case 'choices':
      return `any of: ${optionsInWords(field.options)}`;
    case 'lines':
      return 'list';
    default:
      return field.kind;
  }
}

/** Number of options that a text lists. */
const MAX_LISTED_OPTIONS = 30;

function optionsInWords(options: readonly { label: string }[]): string {
  const listed = options.slice(0, MAX_LISTED_OPTIONS).map(({ label }) => escaped(label));
  return `${listed.join('; ')}${options.length > listed.length ? '; …' : ''}`;
}

/** Returns one line without the marks of Markdown that would change how the list is read. */
function escaped(text: string): string {
  return cleanLine(text).replace(/[\\`*_[\]<>]/g, '\\$&');
}
