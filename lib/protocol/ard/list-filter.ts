/** Constraints of a list of entries (ARD Appendix A). */
export interface ListFilter {
  /** The beginning of the name, in any case. */
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
    if (!field) return { refusal: refusalOf(rest) };
    const value = quoted.find((part) => part !== undefined) ?? '';
    if (field in filter || !assign(filter, field, value)) return { refusal: refusalOf(rest) };
    rest = rest.slice(clause.length);
  }
  return { filter };
}

function refusalOf(rest: string): string {
  return `Found "${rest.slice(0, 60)}" in the filter; expected ${fields.join(', ')}, each at most once, as in displayName = 'Weather' AND createdAfter = '2026-01-01'.`;
}

/** False for a value that the field cannot have. */
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
