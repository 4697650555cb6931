import { truncate } from '../a2a/cards/clean-text';
import { detectAp2Object } from '../ap2/detect-ap2-object';
import { isObject, type JsonObject, type JsonValue } from '../json';
import {
  MAX_FORM_DEPTH,
  MAX_FORM_FIELDS,
  MAX_FORM_LABEL_LENGTH,
  MAX_FORM_MESSAGE_LENGTH,
  MAX_FORM_NAME_LENGTH,
  MAX_FORM_OPTIONS,
  MAX_FORM_PROPERTIES,
} from '../limits';
import type { Form, FormField, FormSource } from './form';
import { helpOf, labelOf, propertiesOf, readFieldType } from './read-field';
import { resolveSchema } from './resolve-schema';

/**
 * Why a question is not shown as a form: it has too many fields or options, fields that no control represents, or a field
 * for a secret or a payment.
 */
export type FormRefusal = 'too-large' | 'unsupported' | 'secret' | 'payment';

export type ReadForm = { form: Form; refusal: null } | { form: null; refusal: FormRefusal };

class Refused extends Error {
  constructor(readonly refusal: FormRefusal) {
    super(refusal);
  }
}

/** Returns true for names that have a meaning for JavaScript objects. */
function isReservedName(name: string): boolean {
  return name === 'prototype' || name in Object.prototype;
}

/**
 * Reads a question of an agent. Its work and its result are bounded for every input, and no pattern is run whose time
 * is not. Members of JSON Schema that no control represents, such as conditions, are left to the agent to check.
 */
export function readForm(source: FormSource): ReadForm {
  try {
    const { schema, values } = source;
    const fields = readGroup({ schema, values, depth: 0 }, noGroup, {
      root: schema,
      propertiesLeft: MAX_FORM_PROPERTIES,
    });
    if (fields.length === 0) throw new Refused('unsupported');
    const options = fields.flatMap((field) => ('options' in field ? field.options : []));
    if (options.length > MAX_FORM_OPTIONS) throw new Refused('too-large');
    requireNoPayment(fields);
    return {
      form: {
        wire: source.wire,
        title: truncate(source.title, MAX_FORM_LABEL_LENGTH),
        message: truncate(source.message, MAX_FORM_MESSAGE_LENGTH),
        submit: truncate(source.submit, MAX_FORM_LABEL_LENGTH),
        fields,
      },
      refusal: null,
    };
  } catch (error) {
    if (error instanceof Refused) return { form: null, refusal: error.refusal };
    throw error;
  }
}

interface GroupInput {
  schema: JsonValue | undefined;
  values: JsonValue | undefined;
  depth: number;
}

/** The schema that is being read, and how many more properties may be read, groups included. */
interface Reading {
  root: JsonObject;
  propertiesLeft: number;
}

interface Group {
  path: string[];
  label: string;
  /** The key of the outermost optional group. */
  optional: string | null;
}

const noGroup: Group = { path: [], label: '', optional: null };

function readGroup({ schema: value, values, depth }: GroupInput, group: Group, reading: Reading): FormField[] {
  const schema = resolveSchema(value, reading.root)?.schema;
  const properties = schema && propertiesOf(schema);
  if (!schema || !properties || depth > MAX_FORM_DEPTH) throw new Refused('unsupported');
  const names = Object.keys(properties);
  if (names.length === 0) throw new Refused('unsupported');
  reading.propertiesLeft -= names.length;
  if (names.length > MAX_FORM_FIELDS || reading.propertiesLeft < 0) throw new Refused('too-large');
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields: FormField[] = [];
  for (const name of names) {
    if (name.length > MAX_FORM_NAME_LENGTH || isReservedName(name)) throw new Refused('unsupported');
    const known = isObject(values) && Object.hasOwn(values, name) ? values[name] : undefined;
    const property = { name, schema: properties[name], value: known, required: required.has(name) };
    fields.push(...readProperty(property, { group, depth }, reading));
    if (fields.length > MAX_FORM_FIELDS) throw new Refused('too-large');
  }
  return fields;
}

interface Property {
  name: string;
  schema: JsonValue | undefined;
  value: JsonValue | undefined;
  required: boolean;
}

function readProperty(
  { name, schema: value, ...property }: Property,
  { group, depth }: { group: Group; depth: number },
  reading: Reading,
): FormField[] {
  const { root } = reading;
  const resolved = resolveSchema(value, root);
  if (!resolved) throw new Refused('unsupported');
  const { schema, isNullable } = resolved;
  const path = [...group.path, name];
  const known = property.value ?? schema.default;
  const label = labelOf(name, schema);
  if (propertiesOf(schema)) {
    const optional = group.optional ?? (property.required ? null : path.join('/'));
    const nested = { path, label: group.label === '' ? label : `${group.label} › ${label}`, optional };
    return readGroup({ schema, values: known, depth: depth + 1 }, nested, reading);
  }
  const type = readFieldType({ schema, value: known, root });
  if (type === 'password') throw new Refused('secret');
  if (type === null)
    throw new Refused([{ [name]: {} }, schema.const ?? null].some(isPaymentData) ? 'payment' : 'unsupported');
  const base = {
    ...{ path, key: path.join('/'), label, help: helpOf(schema), group: group.label },
    required: property.required && !isNullable && group.optional === null,
    requiredWith: property.required && !isNullable ? group.optional : null,
    sendsNull: property.required && isNullable,
  };
  return [{ ...base, ...type }];
}

/** A form can never contain a payment: its answer would look as if the user had agreed to it. */
function requireNoPayment(fields: FormField[]): void {
  const names = Object.fromEntries(fields.map(({ path: [name = ''] }) => [name, {}]));
  const fixed = fields.flatMap((field) => (field.kind === 'fixed' ? [field.value] : []));
  if ([names, ...fixed].some(isPaymentData)) throw new Refused('payment');
}

const paymentKinds = ['cart', 'intent', 'payment-mandate', 'receipt', 'x402'];

/** Returns true for data that is part of a payment, which an answer to a form must not be. */
export function isPaymentData(data: JsonValue): boolean {
  return paymentKinds.includes(detectAp2Object(data)?.kind ?? '');
}
