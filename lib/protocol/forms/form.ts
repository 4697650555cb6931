import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../json';

/** How the agent asked, which determines the shape of the answer. */
export type FormWire =
  /** Parley's own shape and bare schemas, as well as the form of the A2A samples: the values by property. */
  | 'values'
  /** MCP's elicitation: the values with an action. */
  | 'elicitation';

/** A question as an agent sent it. */
export interface FormSource {
  wire: FormWire;
  schema: JsonObject;
  /** Initial values by property. */
  values: JsonObject;
  title: string;
  /** The question in words. */
  message: string;
  /** The text of the button that sends the answer. */
  submit: string;
}

export interface FormOption {
  value: string | number | boolean;
  label: string;
}

interface FieldBase {
  /** The location of the value in the answer, and the same as one text. */
  path: string[];
  key: string;
  label: string;
  /** Empty if there is none. */
  help: string;
  /** True if an answer without a value is invalid. */
  required: boolean;
  /** The key of the optional group: the field is required only if another field of the group has a value. */
  requiredWith: string | null;
  /** The label of the group of a nested value; empty for others. */
  group: string;
  /** True if an empty field is sent as null. */
  sendsNull: boolean;
}

export type FormField = FieldBase &
  (
    | {
        kind: 'text';
        format: 'email' | 'url' | 'tel' | null;
        isMultiline: boolean;
        minLength: number;
        maxLength: number;
        /** A pattern that is safe to run; null if there is none. */
        pattern: RegExp | null;
        initial: string;
        placeholder: string;
      }
    | {
        kind: 'number';
        isInteger: boolean;
        min: number;
        max: number;
        /** The value must be a multiple of it; 0 for any value. */
        step: number;
        /** ISO 4217; null for other numbers. The value is in major units. */
        currency: string | null;
        /** True if the agent expects a text. */
        asText: boolean;
        initial: string;
      }
    | { kind: 'date' | 'time' | 'date-time'; min: string; max: string; initial: string }
    | { kind: 'boolean'; mustBeTrue: boolean; initial: boolean }
    /** `initial`: the index of an option, as text. */
    | { kind: 'choice'; options: FormOption[]; initial: string }
    | { kind: 'choices'; options: FormOption[]; minItems: number; maxItems: number; initial: string[] }
    /** A list of texts. */
    | { kind: 'lines'; minItems: number; maxItems: number; maxLength: number; initial: string }
    | {
        kind: 'file';
        /** Media types, such as `image/*`; empty for any. */
        accept: string[];
        /** How the answer contains the file: by its name, with the file as a part of the message, or its content. */
        encoding: 'name' | 'base64' | 'data-url';
        maxItems: number;
        isList: boolean;
      }
    /** A value that is sent back unchanged. */
    | { kind: 'fixed'; value: JsonValue }
  );

/** A question with typed fields. All texts are the agent's, bounded in length. */
export interface Form {
  wire: FormWire;
  title: string;
  message: string;
  submit: string;
  fields: FormField[];
}

/** The media type of JSON Schemas. */
const SCHEMA_TYPE = 'application/schema+json';

interface FormPart {
  data: JsonValue;
  mediaType?: string;
  metadata?: JsonObject;
}

/**
 * Returns the question in a data part; null for other data. `isMessage`: the part belongs to a message, in which a bare
 * schema is a question. Reads neither schema nor values.
 */
export function findFormSource({ data, mediaType, metadata }: FormPart, isMessage: boolean): FormSource | null {
  if (!isObject(data)) return null;
  if (data.type === 'form' && isObject(data.form))
    return sourceOf(data.form, { values: data.form_data, message: data.instructions });
  const call = data.method === 'elicitation/create' && isObject(data.params) ? data.params : data;
  if (isObject(call.requestedSchema))
    return { ...sourceOf(call.requestedSchema, { message: call.message }), wire: 'elicitation' };
  const isMarked = metadata?.['parley.view'] === 'form';
  if ((data.kind === 'form' || isMarked) && isObject(data.schema))
    return sourceOf(data.schema, {
      ...{ values: data.values, title: data.title, submit: data.submit },
      message: data.message ?? data.description,
    });
  const isSchema = data.type === 'object' && isObject(data.properties);
  if (!isSchema || !(isMarked || isMessage || mediaType === SCHEMA_TYPE)) return null;
  return sourceOf(data, {});
}

function sourceOf(
  schema: JsonObject,
  { values, title, message, submit }: Partial<Record<'values' | 'title' | 'message' | 'submit', JsonValue>>,
): FormSource {
  return {
    wire: 'values',
    schema,
    values: isObject(values) ? values : {},
    title: nonEmptyString(title) ?? nonEmptyString(schema.title) ?? '',
    message: nonEmptyString(message) ?? nonEmptyString(schema.description) ?? '',
    submit: nonEmptyString(submit) ?? '',
  };
}
