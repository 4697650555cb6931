import { createTranslator } from 'use-intl/core';
import { isAsset, toDecimalText } from '../protocol/ap2/money';
import deMail from './de/mail.json' with { type: 'json' };
import deNotifications from './de/notifications.json' with { type: 'json' };
import enMail from './en/mail.json' with { type: 'json' };
import enNotifications from './en/notifications.json' with { type: 'json' };
import esMail from './es/mail.json' with { type: 'json' };
import esNotifications from './es/notifications.json' with { type: 'json' };
import { type OfferedLocale, offeredLocale } from './languages';

const english = { mail: enMail, notifications: enNotifications };

type SentTexts = typeof english;

/** The texts of emails and notifications. No page imports this file, so that browsers do not load them. */
const textsByLocale: Record<OfferedLocale, SentTexts> = {
  en: english,
  de: { mail: deMail, notifications: deNotifications },
  es: { mail: esMail, notifications: esNotifications },
};

/** The value of an argument, in JSON: an amount, a time (ISO 8601, shown in UTC), a day (`2026-11-30`), or hundredths. */
export type TextValue =
  | string
  | number
  | { currency: string; minor: number }
  | { time: string }
  | { day: string }
  | { hundredths: number };

type Values = Record<string, TextValue>;

/** The keys of the texts below `Node`, joined by dots. */
type KeysOf<Node> = {
  [Key in keyof Node & string]: Node[Key] extends string ? Key : `${Key}.${KeysOf<Node[Key]>}`;
}[keyof Node & string];

type TextKey = KeysOf<SentTexts>;

/** The names of emails that have a subject and a body. */
export type MailName = TextKey extends infer Key ? (Key extends `mail.${infer Name}.body` ? Name : never) : never;

/** The subject and the lines of an email. */
export interface MailText {
  subject: string;
  lines: string[];
}

/** The texts of one language. */
export interface Translation {
  locale: OfferedLocale;
  /** Returns a text, whose arguments are formatted in the language and contain no control characters. */
  t: (key: TextKey, values?: Values) => string;
  /** Returns the lines of a text. */
  lines: (key: TextKey, values?: Values) => string[];
  /** Returns the email with this name. */
  mail: (name: MailName, values?: Values) => MailText;
}

const translations = new Map<OfferedLocale, Translation>();

/**
 * Returns the emails and notifications in a language, in English for null or an unknown language. `t` throws if a text
 * has an argument without a value, so that no incomplete email is sent.
 */
export function translationFor(locale: string | null): Translation {
  const offered = offeredLocale(locale) ?? 'en';
  const translation = translations.get(offered) ?? translate(offered);
  translations.set(offered, translation);
  return translation;
}

function translate(locale: OfferedLocale): Translation {
  const translator = createTranslator<SentTexts>({
    locale,
    messages: textsByLocale[locale],
    timeZone: 'UTC',
    onError: (error) => {
      throw error;
    },
  });
  const t: Translation['t'] = (key, values = {}) => {
    const formatted = Object.entries(values).map(([name, value]) => [name, formatValue(value, locale)]);
    return translator(key as never, Object.fromEntries(formatted) as never);
  };
  const lines: Translation['lines'] = (key, values) => t(key, values).split('\n');
  return {
    locale,
    t,
    lines,
    mail: (name, values) => ({
      subject: t(`mail.${name}.subject` as TextKey, values),
      lines: lines(`mail.${name}.body` as TextKey, values),
    }),
  };
}

/** Formats a value. English has ISO 8601 times and amounts such as `18.98 EUR`, which programs read too. */
function formatValue(value: TextValue, locale: OfferedLocale): string | number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  const isEnglish = locale === 'en';
  if ('time' in value) {
    if (isEnglish) return `${value.time.slice(0, 10)} ${value.time.slice(11, 16)} UTC`;
    return dateFormat(locale, { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }).format(
      new Date(value.time),
    );
  }
  if ('day' in value) return isEnglish ? value.day : dateFormat(locale).format(new Date(value.day));
  if ('hundredths' in value) {
    const digits = { minimumFractionDigits: 2, useGrouping: !isEnglish };
    return new Intl.NumberFormat(locale, digits).format(value.hundredths / 100);
  }
  const { currency } = value;
  const decimal = toDecimalText(value);
  // Browsers and Node know no assets.
  if (isEnglish || isAsset(currency)) return `${decimal} ${currency}`;
  const digits = decimal.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(decimal as `${number}`);
}

function dateFormat(locale: string, time: Intl.DateTimeFormatOptions = {}): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC', ...time });
}
