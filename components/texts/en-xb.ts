import account from '../../lib/generated/texts/en-XB/account.json';
import chat from '../../lib/generated/texts/en-XB/chat.json';
import console from '../../lib/generated/texts/en-XB/console.json';
import docs from '../../lib/generated/texts/en-XB/docs.json';
import market from '../../lib/generated/texts/en-XB/market.json';
import moderation from '../../lib/generated/texts/en-XB/moderation.json';
import parts from '../../lib/generated/texts/en-XB/parts.json';
import payments from '../../lib/generated/texts/en-XB/payments.json';
import shell from '../../lib/generated/texts/en-XB/shell.json';
import ui from '../../lib/generated/texts/en-XB/ui.json';
import type { Texts } from './texts';

/** Written from the English texts by scripts/messages.mjs. */
export const texts: Texts = { account, chat, console, docs, market, moderation, parts, payments, shell, ui };
