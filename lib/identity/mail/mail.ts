import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer, { type Transporter } from 'nodemailer';
import { ParleyError } from '../../platform/errors';
import { newUuid } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { type LogFields, log } from '../../platform/runtime/log';
import { once } from '../../platform/runtime/once';
import type { OfferedLocale } from '../../texts/languages';
import type { MailText } from '../../texts/sent-texts';
import {
  MAIL_RETRY_AFTER_SECONDS,
  MAX_ENCODED_WORD_BYTES,
  MAX_MAIL_LINE_BYTES,
  SMTP_CONNECTION_TIMEOUT_MS,
  SMTP_SOCKET_TIMEOUT_MS,
} from '../limits';

/** An email in plain text. */
export interface Mail extends MailText {
  to: string;
  /** The language of the text. */
  locale: OfferedLocale;
  /** Our one-click unsubscribe URL (RFC 8058). */
  unsubscribe?: string;
}

/** Returns false if no mail server is configured. Emails then stay in the outbox, which only the operator can read. */
export function isSmtpConfigured(): boolean {
  return env().SMTP_URL !== undefined;
}

/**
 * Returns true if the mail server accepts our login, or if none is configured, because the outbox always accepts
 * emails.
 */
export async function isMailServerReachable(): Promise<boolean> {
  return !isSmtpConfigured() || smtp().verify();
}

/**
 * Sends an email through the server of `SMTP_URL`, or stores it as a file in `DATA_DIR/outbox/`. Logs the file name,
 * never the address or the content.
 * @throws {ParleyError} `unavailable` if that fails
 */
export async function sendMail(mail: Mail, now: Date): Promise<void> {
  const text = toMessage(mail, now);
  try {
    if (env().SMTP_URL)
      await smtp().sendMail({ envelope: { ...envelopeOf(mail), use8BitMime: !isAscii(text) }, raw: text });
    else await writeToOutbox(text, now);
  } catch (error) {
    log.error('mail.failed', logFieldsOf(error));
    throw new ParleyError('unavailable', 'The email could not be sent. Try again in a few minutes.', {
      retryAfter: MAIL_RETRY_AFTER_SECONDS,
    });
  }
}

const smtp = once(
  (): Transporter =>
    nodemailer.createTransport({
      url: env().SMTP_URL,
      connectionTimeout: SMTP_CONNECTION_TIMEOUT_MS,
      socketTimeout: SMTP_SOCKET_TIMEOUT_MS,
    }),
);

/** Returns only codes, because the response of a mail server repeats the address. */
function logFieldsOf(error: unknown): LogFields {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return { error: error instanceof Error ? error.name : typeof error, code, responseCode };
}

async function writeToOutbox(text: string, now: Date): Promise<void> {
  const folder = join(env().DATA_DIR, 'outbox');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${now.toISOString().replace(/[:.]/g, '-')}-${newUuid().slice(0, 8)}.eml`);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  log.info('mail.saved_to_outbox', { file });
}

function envelopeOf({ to }: Mail): { from: string; to: string } {
  return { from: bareAddress(env().MAIL_FROM), to };
}

/**
 * Builds the RFC 5322 message, in 8 bits if it is not ASCII. nodemailer would encode it as quoted-printable, in which
 * users cannot copy links.
 */
function toMessage({ to, locale, subject, lines, unsubscribe }: Mail, now: Date): string {
  const from = env().MAIL_FROM;
  const body = lines.flatMap(wrap);
  const [charset, encoding] = isAscii(body.join('')) ? ['us-ascii', '7bit'] : ['utf-8', '8bit'];
  const headers = [
    `From: ${encodeSender(from)}`,
    `To: ${to}`,
    `Subject: ${encodeWords(subject)}`,
    `Date: ${now.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${newUuid()}@${bareAddress(from).split('@').pop()}>`,
    'MIME-Version: 1.0',
    `Content-Type: text/plain; charset=${charset}`,
    `Content-Transfer-Encoding: ${encoding}`,
    `Content-Language: ${locale}`,
    'Auto-Submitted: auto-generated',
    ...(unsubscribe ? [`List-Unsubscribe: <${unsubscribe}>`, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'] : []),
  ];
  return [...headers.map(withoutBreaks), '', ...body, ''].join('\r\n');
}

/** Returns a header whose text cannot start another one. Only encoded words continue in a new line. */
function withoutBreaks(header: string): string {
  return header
    .split(FOLD)
    .map((part) => part.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '))
    .join(FOLD);
}

/** Breaks a line at spaces, so that no line has more than 998 bytes. A longer link stays whole, because it must work. */
function wrap(line: string): string[] {
  const text = line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  if (Buffer.byteLength(text) <= MAX_MAIL_LINE_BYTES) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && Buffer.byteLength(longer) <= MAX_MAIL_LINE_BYTES) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

const FOLD = '\r\n ';

/** Returns a text that is not printable ASCII as encoded words (RFC 2047), of which each line has at most 76 bytes. */
function encodeWords(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes('=?')) return text;
  const words: string[] = [''];
  for (const character of text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')) {
    const longer = `${words.at(-1)}${character}`;
    if (Buffer.byteLength(longer) <= MAX_ENCODED_WORD_BYTES) words[words.length - 1] = longer;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(FOLD);
}

/** Returns the sender with a non-ASCII display name as encoded words. */
function encodeSender(from: string): string {
  const name = from.slice(0, from.lastIndexOf('<')).trim();
  if (/^[\x20-\x7e]*$/.test(from) || name === '') return from;
  return `${encodeWords(name)} <${bareAddress(from)}>`;
}

function bareAddress(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}
