/** Date of the rates below. They do not change: this is an example, not a source of rates. */
export const RATES_DATE = '2 January 2025';

/** A currency: its names besides its code, and the amount of it that one euro buys. */
interface Rate {
  code: string;
  names: string;
  perEuro: number;
}

export const RATES: Rate[] = [
  { code: 'EUR', names: 'euro|euros|€', perEuro: 1 },
  { code: 'USD', names: 'dollar|dollars|us dollar|us dollars|$|us$', perEuro: 1.03 },
  {
    code: 'GBP',
    names: 'pound|pounds|pound sterling|pounds sterling|british pound|british pounds|sterling|£',
    perEuro: 0.83,
  },
  { code: 'JPY', names: 'yen|¥|japanese yen', perEuro: 162 },
  { code: 'CHF', names: 'franc|francs|swiss franc|swiss francs', perEuro: 0.94 },
  { code: 'CNY', names: 'yuan|renminbi|rmb', perEuro: 7.5 },
  { code: 'AUD', names: 'australian dollar|australian dollars|a$', perEuro: 1.66 },
  { code: 'CAD', names: 'canadian dollar|canadian dollars|c$', perEuro: 1.48 },
  { code: 'INR', names: 'rupee|rupees|indian rupee|indian rupees|₹', perEuro: 88.4 },
  { code: 'BRL', names: 'real|reais|brazilian real|r$', perEuro: 6.4 },
  { code: 'SEK', names: 'swedish krona|swedish kronor|kronor', perEuro: 11.4 },
  { code: 'NOK', names: 'norwegian krone|norwegian kroner', perEuro: 11.7 },
  { code: 'PLN', names: 'zloty|zlotys|złoty|złotych', perEuro: 4.3 },
];
