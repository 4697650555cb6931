import type { Texts } from '../en';
import account from './account.json';
import chat from './chat.json';
import console from './console.json';
import docs from './docs.json';
import market from './market.json';
import moderation from './moderation.json';
import parts from './parts.json';
import payments from './payments.json';
import problems from './problems.json';
import shell from './shell.json';
import ui from './ui.json';

/** The texts of the pages in German. */
export const texts: Texts = { account, chat, console, docs, market, moderation, parts, payments, problems, shell, ui };
