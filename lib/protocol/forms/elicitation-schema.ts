import { cleanLine, cleanText } from '../a2a/cards/clean-text';
import { isObject, type JsonObject, type JsonValue } from '../json';
import { MAX_FORM_TEXT_LENGTH } from '../limits';
import type { RawValue, RawValues } from './check-answer';
import type { Form, FormField, FormOption } from './form';

/**
 * Returns the form as the flat schema of MCP's elicitation, with the titled options of 2025-11-25 and later. Optional files
 * are left out; null if the answer needs a file, which an elicitation cannot transfer.
 */
export function toElicitationSchema({ fields }: Form): JsonObject | null {
  const asked = fields.filter((field) => field.kind !== 'fixed');
  if (asked.some((field) => field.kind === 'file' && (field.required || field.requiredWith !== null))) return null;
  const shown = asked.filter(({ kind }) => kind !== 'file');
  if (shown.length === 0) return null;
  const properties = shown.map((field) => [nameOf(field), { ...schemaOf(field), ...textsOf(field) }] as const);
  const required = shown.filter((field) => field.required).map(nameOf);
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

/** Returns the content of an accepted elicitation as if it had been entered into the form. */
export function rawOfContent({ fields }: Form, content: JsonObject): RawValues {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const name = nameOf(field);
      return Object.hasOwn(content, name) ? [[field.key, rawOf(field, content[name])] as const] : [];
    }),
  );
}

/** A nested value has the names on its path in one name. */
function nameOf({ path }: FormField): string {
  return path.join('.');
}

function textsOf({ label, help, group, ...field }: FormField): JsonObject {
  const title = cleanLine(group === '' ? label : `${group}: ${label}`);
  const unit = field.kind === 'number' && field.currency ? ` (${field.currency})` : '';
  return { title: `${title}${unit}`, ...(help !== '' && { description: cleanText(help) }) };
}

function schemaOf(field: FormField): JsonObject {
  switch (field.kind) {
    case 'text': {
      const { minLength, maxLength, format, initial } = field;
      const name = format === 'url' ? 'uri' : format === 'email' ? 'email' : undefined;
      return {
        ...{ type: 'string', maxLength },
        ...(minLength > 0 && { minLength }),
        ...(name && { format: name }),
        ...(initial !== '' && { default: initial }),
      };
    }
    case 'number': {
      const { isInteger, min, max, initial } = field;
      return {
        type: isInteger ? 'integer' : 'number',
        ...(Number.isFinite(min) && { minimum: min }),
        ...(Number.isFinite(max) && { maximum: max }),
        ...(initial !== '' && Number.isFinite(Number(initial)) && { default: Number(initial) }),
      };
    }
    case 'date':
    case 'date-time':
      return { type: 'string', format: field.kind };
    case 'boolean':
      return { type: 'boolean', ...(field.initial && { default: true }) };
    case 'choice': {
      const chosen = field.options[Number(field.initial || Number.NaN)];
      return { type: 'string', oneOf: field.options.map(constantOf), ...(chosen && { default: String(chosen.value) }) };
    }
    case 'choices': {
      const { minItems, maxItems, options } = field;
      return {
        ...{ type: 'array', items: { anyOf: options.map(constantOf) } },
        ...(minItems > 0 && { minItems }),
        ...(maxItems < options.length && { maxItems }),
      };
    }
    default:
      // A time, or a list with one text in each line.
      return { type: 'string', maxLength: MAX_FORM_TEXT_LENGTH };
  }
}

function constantOf({ value, label }: FormOption): JsonObject {
  return { const: String(value), title: cleanLine(label) };
}

function rawOf(field: FormField, value: JsonValue | undefined): RawValue | undefined {
  const indexOf = (of: JsonValue): string => {
    const index = 'options' in field ? field.options.findIndex((option) => String(option.value) === String(of)) : -1;
    return String(index);
  };
  if (field.kind === 'choices') return Array.isArray(value) ? value.map(indexOf) : [];
  if (field.kind === 'choice') return value === undefined || value === null ? undefined : indexOf(value);
  if (field.kind === 'boolean') return value === true;
  if (field.kind === 'file' || value === null || value === undefined || isObject(value)) return undefined;
  return String(value);
}
