'use client';

import { useLocale } from 'next-intl';
import type { ReactNode } from 'react';
import type { FieldControl } from '../../forms/field';
import { Select } from '../../forms/inputs';

/** All countries of ISO 3166, two letters each. */
const all = [
  'ADAEAFAGAIALAMAOARATAUAWAZBABBBDBEBFBGBHBIBJBMBNBOBRBSBTBWBYBZCACDCFCGCHCICLCMCNCOCRCUCVCYCZDEDJDKDM',
  'DODZECEEEGERESETFIFJFMFRGAGBGDGEGHGMGNGQGRGTGWGYHKHNHRHTHUIDIEILINIQIRISITJMJOJPKEKGKHKIKMKNKPKRKWKY',
  'KZLALBLCLILKLRLSLTLULVLYMAMCMDMEMGMHMKMLMMMNMOMRMTMUMVMWMXMYMZNANENGNINLNONPNRNZOMPAPEPGPHPKPLPRPSPT',
  'PWPYQARORSRURWSASBSCSDSESGSISKSLSMSNSOSRSSSTSVSYSZTDTGTHTJTLTMTNTOTRTTTVTWTZUAUGUSUYUZVAVCVEVNVUWSXK',
  'YEZAZMZW',
].flatMap((line) => line.match(/../g) ?? []);

interface CountrySelectProps {
  control: FieldControl;
  /** ISO 3166. */
  value: string;
  /** The countries to choose from; all without it. */
  codes?: readonly string[];
}

/** A choice of a country, by its name in the reader's language. The field is named `country`. */
export function CountrySelect({ control, value, codes = all }: CountrySelectProps): ReactNode {
  const locale = useLocale();
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  const countries = codes.map((code) => ({ code, name: names.of(code) ?? code }));
  return (
    <Select {...control} autoComplete="country" defaultValue={value} name="country">
      {countries
        .sort((a, b) => a.name.localeCompare(b.name, locale))
        .map(({ code, name }) => (
          // The browser may name a country otherwise than the server.
          <option key={code} suppressHydrationWarning value={code}>
            {name}
          </option>
        ))}
    </Select>
  );
}
