/** A JSON Schema (2020-12), which may be anything that an agent states. */
export type Schema = Record<string, unknown>;

const INDENT = '  ';
/** Maximum nesting of types. Deeper values are `unknown`. */
const MAX_DEPTH = 20;
/** Maximum types of one schema. Further ones are `unknown`, because references can multiply a small schema. */
const MAX_TYPES = 5_000;
/** A map, because an agent chooses the names. */
const scalars = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
]);

/**
 * Returns the TypeScript type of a JSON Schema. Keywords without a counterpart, such as patterns, are left out.
 * References to definitions of the same schema are replaced by their types; recursive ones are `unknown`.
 */
export function typeOf(schema: unknown): string {
  return new SchemaTypes(isSchema(schema) ? schema : {}).of(schema, 0);
}

class SchemaTypes {
  /** The references that are being replaced. */
  private readonly open = new Set<string>();
  private count = 0;

  constructor(private readonly root: Schema) {}

  of(schema: unknown, depth: number): string {
    if (schema === false) return 'never';
    this.count += 1;
    if (!isSchema(schema) || depth > MAX_DEPTH || this.count > MAX_TYPES) return 'unknown';
    if (typeof schema.$ref === 'string') return this.ofReference(schema.$ref, depth);
    if ('const' in schema) return literal(schema.const);
    if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(alternatives)) return union(alternatives.map((one) => this.of(one, depth + 1)));
    if (Array.isArray(schema.allOf)) return this.ofAll(schema.allOf, depth);
    const { type } = schema;
    if (Array.isArray(type)) return union(type.map((one) => this.of({ ...schema, type: one }, depth)));
    if (type === 'array' || schema.items !== undefined || schema.prefixItems !== undefined)
      return this.ofArray(schema, depth);
    if (type === 'object' || schema.properties !== undefined) return this.ofObject(schema, depth);
    return (typeof type === 'string' && scalars.get(type)) || 'unknown';
  }

  private ofAll(schemas: unknown[], depth: number): string {
    return schemas.map((one) => inParentheses(this.of(one, depth))).join(' & ') || 'unknown';
  }

  private ofReference(reference: string, depth: number): string {
    const target = reference.startsWith('#') ? this.find(reference.slice(1)) : undefined;
    if (target === undefined || this.open.has(reference)) return 'unknown';
    this.open.add(reference);
    const found = this.of(target, depth + 1);
    this.open.delete(reference);
    return found;
  }

  /** Returns the value at a JSON Pointer (RFC 6901). */
  private find(pointer: string): unknown {
    let found: unknown = this.root;
    for (const step of pointer.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
      found = (found as Record<string, unknown>)[name];
    }
    return found;
  }

  private ofArray({ items, prefixItems }: Schema, depth: number): string {
    if (!Array.isArray(prefixItems)) return `${inParentheses(this.of(items, depth + 1))}[]`;
    const first = prefixItems.map((item) => this.of(item, depth + 1));
    const rest = items === false ? [] : [`...${inParentheses(this.of(items, depth + 1))}[]`];
    return `[${[...first, ...rest].join(', ')}]`;
  }

  private ofObject({ properties, required, additionalProperties }: Schema, depth: number): string {
    const names = isSchema(properties) ? Object.keys(properties) : [];
    if (!isSchema(properties) || names.length === 0) {
      return additionalProperties === false
        ? 'Record<string, never>'
        : `Record<string, ${this.of(additionalProperties, depth + 1)}>`;
    }
    const needed = new Set(Array.isArray(required) ? required : []);
    const margin = INDENT.repeat(depth + 1);
    const members = names.flatMap((name) => {
      const member = properties[name];
      const words = isSchema(member) && typeof member.description === 'string' ? [comment(member.description)] : [];
      const type = this.of(member, depth + 1);
      return [...words, `${textLiteral(name)}${needed.has(name) ? '' : '?'}: ${type};`];
    });
    return `{\n${members.map((line) => margin + line).join('\n')}\n${INDENT.repeat(depth)}}`;
  }
}

/** Returns a text of an agent as a comment of one line, which it cannot end. */
export function comment(text: string): string {
  const words = text
    .replaceAll('*/', '* /')
    .replaceAll(/[\p{C}\s\u2028\u2029]+/gu, ' ')
    .trim();
  return `/** ${words.slice(0, 400)} */`;
}

/** Returns a text of an agent as a literal without characters that a reader of the code does not see or that reorder it. */
export function textLiteral(text: string): string {
  return JSON.stringify(text).replaceAll(/[\p{C}\u2028\u2029]/gu, (hidden) => {
    const units = [...Array(hidden.length).keys()].map((at) => hidden.charCodeAt(at).toString(16).padStart(4, '0'));
    return units.map((unit) => `\\u${unit}`).join('');
  });
}

function literal(value: unknown): string {
  if (typeof value === 'string') return textLiteral(value);
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value ?? null);
}

function union(types: string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}

function inParentheses(type: string): string {
  return / [|&] /.test(type) ? `(${type})` : type;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
