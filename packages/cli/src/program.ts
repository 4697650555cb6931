import { Command, InvalidArgumentError } from 'commander';
import { addSecret, createApp, listApps, removeSecret } from './commands/apps.js';
import { type LoginOptions, login, logout, whoami } from './commands/auth.js';
import { approveCart, declineCart, listCarts, showCart } from './commands/carts.js';
import { type RegisterOptions, register } from './commands/register.js';
import { type SearchOptions, search } from './commands/search.js';
import { type SendOptions, send } from './commands/send.js';
import { getToken, revokeToken } from './commands/tokens.js';
import { showWallet, topUpWallet } from './commands/wallet.js';
import type { PayOptions } from './pay-order.js';
import type { Session } from './session.js';

/** Options of every command. */
export interface GlobalOptions {
  apiUrl?: string;
  json?: boolean;
}

/** Runs a command; a number is the exit code. */
export type Act = (work: (session: Session) => Promise<number> | Promise<void>) => Promise<void>;

/** The command line: commands, options and help. `act` creates a command's session and runs it. */
export function createProgram(act: Act, version: string): Command {
  const program = new Command('parley')
    .description('Find, call and list A2A agents.')
    .version(version)
    .option('--api-url <origin>', 'the Parley to talk to (default: PARLEY_API_URL, else the last one you signed in to)')
    .option('--json', 'print JSON')
    .showHelpAfterError('Try: parley --help')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 refused or failed, 2 wrong command line, 3 not signed in, 4 not found,\n5 no answer, 6 the task failed, 7 the agent asks something, 8 not paid, 130 interrupted.',
    );
  const frame: Frame = { act, all: (options) => ({ ...program.opts<GlobalOptions>(), ...options }) };
  addAuth(program, frame);
  addAgents(program, frame);
  addTokens(program, frame);
  addApps(program, frame);
  addPayments(program, frame);
  return program;
}

/** Shared by all commands: options and how to run one. */
interface Frame {
  act: Act;
  /** The command's options merged with the program's. */
  all: <Options extends object>(options: Options) => Options & GlobalOptions;
}

function addAuth(program: Command, { act, all }: Frame): void {
  const auth = program.command('auth').description('sign in and out');
  auth
    .command('login')
    .description('sign in with a code that you type in your browser')
    .option('--with-token', 'read an access token from stdin instead')
    .option('--no-browser', 'do not open a browser')
    .option('--pay', 'also ask to be allowed to pay')
    .action((options: LoginOptions) => act((session) => login(session, all(options))));
  auth
    .command('logout')
    .description('revoke and forget what login kept')
    .action(() => act(logout));
  auth
    .command('whoami')
    .description('tell who is signed in')
    .action(() => act((session) => whoami(session, all({}))));
}

function addAgents(program: Command, { act, all }: Frame): void {
  program
    .command('search')
    .description('find agents')
    .argument('[query...]', 'what the agent should do')
    .option('-l, --limit <n>', 'how many, 1 to 100', readLimit, 10)
    .option('-t, --tag <tag>', 'only agents with this tag; may be given several times', collect)
    .action((words: string[], options: SearchOptions) =>
      act((session) => search(session, words.join(' '), all(options))),
    );
  program
    .command('send')
    .description('send a message to an agent and show the answer as it comes; goes on with the last conversation')
    .argument('<agent>', 'its slug, as search shows it')
    .argument('[message...]', 'what to say; - reads stdin')
    .option('-n, --new', 'begin a new conversation')
    .option('-c, --context <id>', 'go on with this conversation')
    .option('--task-id <id>', 'answer this task')
    .option('-f, --file <path>', 'send this file along; may be given several times', collect)
    .option('--pay', 'pay the cart that the agent offers, after asking you')
    .option('-y, --yes', 'pay without asking; needs --max-amount')
    .option('--max-amount <amount>', 'pay up to this amount, such as 20.00EUR')
    .option('--method <method>', 'wallet or card')
    .action((agent: string, words: string[], options: SendOptions) =>
      act((session) => send(session, { agent, words }, all(options))),
    );
  program
    .command('register')
    .description('list an agent, or bring its listing up to date')
    .argument('<url>', 'where the agent or its card is')
    .option('--tags <tags>', 'separated by commas', (list: string) => list.split(',').map((tag) => tag.trim()))
    .option('--slug <slug>', 'its name in addresses')
    .option('--visibility <who>', 'public, unlisted or private')
    .option('--app <id>', 'the developer app with which the agent asks who is calling')
    .option('--confirm-origin', 'agree that calls go to another origin than the card came from')
    .action((url: string, options: RegisterOptions) => act((session) => register(session, url, all(options))));
}

function addTokens(program: Command, { act, all }: Frame): void {
  const tokens = program.command('tokens').description('tokens for other tools');
  tokens
    .command('get')
    .description('print a token for one agent, good for 15 minutes')
    .argument('<agent>', 'its slug')
    .action((agent: string) => act((session) => getToken(session, agent, all({}))));
  tokens
    .command('revoke')
    .description('revoke the token on stdin')
    .action(() => act(revokeToken));
}

function addApps(program: Command, { act, all }: Frame): void {
  const apps = program.command('apps').description('developer apps: the credentials of your agents');
  apps
    .command('list')
    .description('your apps and their secrets')
    .action(() => act((session) => listApps(session, all({}))));
  apps
    .command('create')
    .description('create an app; its secret is printed this once')
    .argument('<name>')
    .action((name: string) => act((session) => createApp(session, name, all({}))));
  apps
    .command('add-secret')
    .description('add a second secret, to rotate without a gap')
    .argument('<app>', 'id of the app')
    .option('--expires-in-days <n>', 'when the secret ends, 1 to 366', readDays)
    .option('--others-end-in-hours <n>', 'have those of before end after 0, 1, 24 or 168 hours', readOverlap)
    .action((app: string, options: { expiresInDays?: number; othersEndInHours?: number }) =>
      act((session) => addSecret(session, app, all(options))),
    );
  apps
    .command('remove-secret')
    .description('take a secret back')
    .argument('<app>', 'id of the app')
    .argument('<secret>', 'id of the secret')
    .action((app: string, secret: string) => act((session) => removeSecret(session, app, secret)));
}

function addPayments(program: Command, { act, all }: Frame): void {
  const wallet = program.command('wallet').description('what you can pay with');
  wallet
    .command('show', { isDefault: true })
    .description('print the balances')
    .action(() => act((session) => showWallet(session, all({}))));
  wallet
    .command('topup')
    .description('put an amount into the wallet')
    .argument('<amount>', 'figures and a currency, such as 20.00EUR')
    .action((amount: string) => act((session) => topUpWallet(session, amount, all({}))));
  const cart = program.command('cart').description('carts that agents have offered you');
  cart
    .command('list')
    .description('those that can be paid')
    .option('-a, --all', 'also those that are paid, refused or over')
    .action((options: { all?: boolean }) => act((session) => listCarts(session, all(options))));
  cart
    .command('show')
    .description('one cart with its lines')
    .argument('<order>', 'its id, as list shows it')
    .action((order: string) => act((session) => showCart(session, order, all({}))));
  cart
    .command('approve')
    .description('pay a cart, after asking you')
    .argument('<order>', 'its id, as list shows it')
    .option('-y, --yes', 'pay without asking; needs --max-amount')
    .option('--max-amount <amount>', 'pay up to this amount, such as 20.00EUR')
    .option('--method <method>', 'wallet or card')
    .action((order: string, options: PayOptions) => act((session) => approveCart(session, order, all(options))));
  cart
    .command('decline')
    .description('decline a cart; nothing is charged')
    .argument('<order>', 'its id, as list shows it')
    .action((order: string) => act((session) => declineCart(session, order, all({}))));
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

function readLimit(text: string): number {
  return readWhole(text, 100);
}

function readDays(text: string): number {
  return readWhole(text, 366);
}

function readOverlap(text: string): number {
  if (['0', '1', '24', '168'].includes(text)) return Number(text);
  throw new InvalidArgumentError('Expected 0, 1, 24 or 168.');
}

function readWhole(text: string, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new InvalidArgumentError(`Expected a whole number from 1 to ${most}.`);
}
