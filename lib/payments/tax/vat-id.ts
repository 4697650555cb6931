import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
// Its named exports are not visible to `import`.
const { checkVAT, countries } = require('jsvat-next') as typeof import('jsvat-next');

/** The countries whose VAT ids are checked: the members of the EU, and three others. */
const CHECKED = new Set(
  ('AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE ' + 'GB CH NO').split(' '),
);
const checkedCountries = countries.filter(({ codes }) => codes.some((code) => CHECKED.has(code)));

/**
 * Returns the normal form of a VAT id: capital letters and digits with the prefix of the country (`EL` for Greece); null
 * if its checksum is wrong or it belongs to another country. Ids of other countries than EU members, GB, CH and NO are
 * not checked. Offline: whether the id is registered is unknown.
 */
export function normalVatId(text: string, country: string): string | null {
  const compact = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  if (compact.length < 4) return null;
  if (!CHECKED.has(country)) return compact;
  // Norway's ids have no prefix in the library. Both countries write a suffix that many people leave out.
  const norwegian = country === 'NO' ? /^(?:NO)?(\d{9})(?:MVA)?$/.exec(compact)?.[1] : undefined;
  const id = norwegian ? `${norwegian}MVA` : compact.replace(/^(CHE\d{9})(MWST|TVA|IVA)?$/, '$1MWST');
  const { isValid, country: found } = checkVAT(id, checkedCountries);
  return isValid && found?.isoCode.short === country ? `${norwegian ? 'NO' : ''}${id}` : null;
}
