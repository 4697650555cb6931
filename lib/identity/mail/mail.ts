import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer, { type Transporter } from 'nodemailer';
import { ParleyError } from '../../platform/errors';
import { newUuid } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { type LogFields, log } from '../../platform/runtime/log';
import { once } from '../../platform/runtime/once';
import { MAIL_RETRY_AFTER_SECONDS, SMTP_CONNECTION_TIMEOUT_MS, SMTP_SOCKET_TIMEOUT_MS } from '../limits';

/** An email of plain ASCII lines, so that a link is never wrapped or encoded. */
export interface Mail {
  to: string;
  subject: string;
  lines: string[];
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
      await smtp().sendMail({ envelope: { from: bareAddress(env().MAIL_FROM), to: mail.to }, raw: text });
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

/** Builds the RFC 5322 message. nodemailer would encode a long link as quoted-printable, which users cannot copy. */
function toMessage({ to, subject, lines, unsubscribe }: Mail, now: Date): string {
  const from = env().MAIL_FROM;
  const headers = [
    `From: ${encodeSender(from)}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${now.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${newUuid()}@${bareAddress(from).split('@').pop()}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=us-ascii',
    'Content-Transfer-Encoding: 7bit',
    'Auto-Submitted: auto-generated',
    ...(unsubscribe ? [`List-Unsubscribe: <${unsubscribe}>`, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'] : []),
  ];
  return [...headers, '', ...lines, ''].join('\r\n');
}

/** Returns the sender with a non-ASCII display name as an encoded word (RFC 2047). */
function encodeSender(from: string): string {
  const name = from.slice(0, from.lastIndexOf('<')).trim();
  if (/^[\x20-\x7e]*$/.test(from) || name === '') return from;
  return `=?UTF-8?B?${Buffer.from(name).toString('base64')}?= <${bareAddress(from)}>`;
}

function bareAddress(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}
