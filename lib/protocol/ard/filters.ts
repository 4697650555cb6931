/** The namespace of ARD's core terms, and the context that binds them (ARD §4.1). */
const NAMESPACE = 'https://agenticresourcediscovery.org/ns#';
const BASE_CONTEXT = 'https://agenticresourcediscovery.org/context/v1';

/** The terms by which Parley filters. */
const filterTerms = ['type', 'publisher', 'tags', 'capabilities'] as const;
type FilterTerm = (typeof filterTerms)[number];

/** The values of each term of a filter, any of which matches. */
export type TermValues = Partial<Record<FilterTerm, string[]>>;

/** The error of a filter, as a sentence. */
interface RefusedFilter {
  refusal: string;
}

/**
 * Resolves the keys of a filter to terms, by IRI (ARD §5.3.1). A key is a core term, either plain or with a prefix that
 * the query's context binds to ARD's namespace.
 */
export function readFilter(
  filter: Record<string, string | string[]>,
  context: unknown,
): { terms: TermValues } | RefusedFilter {
  const bindings = bindingsOf(context);
  if ('refusal' in bindings) return bindings;
  const terms: TermValues = {};
  for (const [key, value] of Object.entries(filter)) {
    const term = termOf(key, bindings.iris);
    if (term === null || term in terms) return { refusal: refusalOf(key, term) };
    terms[term] = Array.isArray(value) ? value : [value];
  }
  return { terms };
}

function refusalOf(key: string, term: FilterTerm | null): string {
  const found = `Found the filter "${key.slice(0, 60)}"`;
  if (term !== null) return `${found}, which names "${term}" again; expected each term once.`;
  return `${found}; expected ${filterTerms.map((name) => `"${name}"`).join(', ')}. Parley indexes no other terms.`;
}

/** The IRI to which each name of a context is bound. */
type Iris = Map<string, string>;

function bindingsOf(context: unknown): { iris: Iris } | RefusedFilter {
  const iris: Iris = new Map();
  for (const one of context === undefined ? [] : Array.isArray(context) ? context : [context]) {
    if (one === BASE_CONTEXT || one === null) continue;
    if (typeof one !== 'object') {
      return { refusal: `Found a "@context" to load; expected an object, or ${BASE_CONTEXT}. Parley loads none.` };
    }
    for (const [name, bound] of Object.entries(one)) {
      const iri = typeof bound === 'string' ? bound : (bound as { '@id'?: unknown } | null)?.['@id'];
      if (typeof iri === 'string') iris.set(name, iri);
    }
  }
  return { iris };
}

function termOf(key: string, iris: Iris): FilterTerm | null {
  const iri = iriOf(key, iris);
  const name = iri.startsWith(NAMESPACE) ? iri.slice(NAMESPACE.length) : null;
  return filterTerms.find((term) => term === name) ?? null;
}

function iriOf(key: string, iris: Iris): string {
  const colon = key.indexOf(':');
  const prefix = colon > 0 ? iris.get(key.slice(0, colon)) : undefined;
  if (prefix !== undefined) return prefix + key.slice(colon + 1);
  return iris.get(key) ?? (colon > 0 ? key : NAMESPACE + key);
}

/** Constraints of a list of entries (ARD Appendix A). */
interface ListFilter {
  /** The start of the name, ignoring case. */
  displayName?: string;
  type?: string[];
  publisherId?: string[];
  createdAfter?: Date;
  updatedAfter?: Date;
}

const fields = ['displayName', 'type', 'publisherId', 'createdAfter', 'updatedAfter'] as const;
const clausePattern = /^\s*(\w+)\s*(=|>=|>)\s*(?:'([^']*)'|"([^"]*)"|([^\s'"]+))\s*(?:$|AND\s+)/i;

/** Reads a filter expression: `displayName = 'Weather' AND createdAfter = '2026-01-01'`. */
export function readListFilter(text: string): { filter: ListFilter } | { refusal: string } {
  const filter: ListFilter = {};
  for (let rest = text.trim(); rest !== ''; ) {
    const [clause = '', name = '', , ...quoted] = clausePattern.exec(rest) ?? [];
    const field = fields.find((known) => known.toLowerCase() === name.toLowerCase());
    if (!field) return { refusal: listRefusalOf(rest) };
    const value = quoted.find((part) => part !== undefined) ?? '';
    if (field in filter || !assign(filter, field, value)) return { refusal: listRefusalOf(rest) };
    rest = rest.slice(clause.length);
  }
  return { filter };
}

function listRefusalOf(rest: string): string {
  return `Found "${rest.slice(0, 60)}" in the filter; expected ${fields.join(', ')}, each at most once, as in displayName = 'Weather' AND createdAfter = '2026-01-01'.`;
}

/** Sets a field of the filter. Returns false for a value that the field cannot have. */
function assign(filter: ListFilter, field: (typeof fields)[number], value: string): boolean {
  if (field === 'displayName') filter.displayName = value;
  else if (field === 'type' || field === 'publisherId') filter[field] = value.split(',').map((one) => one.trim());
  else {
    const at = new Date(value);
    if (!/^\d{4}-\d\d-\d\d/.test(value) || Number.isNaN(at.getTime())) return false;
    filter[field] = at;
  }
  return true;
}
