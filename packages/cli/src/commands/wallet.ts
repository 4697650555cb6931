import type { Command } from 'commander';
import type { CommandContext } from '../command-line.js';
import { formatMoney, type Money, readMoney } from '../money.js';
import type { Session } from '../session.js';
import { plainLine } from '../terminal.js';

interface Wallet {
  test: boolean;
  balances: { currency: string; available: number; held: number }[];
}

interface TopUp {
  id: string;
  state: string;
  redirectUrl: string | null;
}

interface Json {
  json?: boolean;
}

/** Prints the wallet's balance and the amount held for orders. */
async function showWallet(session: Session, { json }: Json): Promise<void> {
  const { terminal } = session;
  const wallet = await session.call<Wallet>('/api/wallet');
  if (json) {
    terminal.print(JSON.stringify(wallet));
    return;
  }
  for (const { currency, available, held } of wallet.balances) {
    const more = held > 0 ? `, ${formatMoney({ currency, minor: held })} held for orders` : '';
    terminal.print(`${formatMoney({ currency, minor: available })} available${more}`);
  }
  if (wallet.balances.length === 0) terminal.say('Your wallet is empty. Top it up with: parley wallet topup 20.00EUR');
  if (wallet.test) terminal.say('These are test credits. No real money is used.');
}

/** Tops up the wallet; real money is paid on a page that opens in a browser. */
async function topUpWallet(session: Session, amount: string, { json }: Json): Promise<void> {
  const { terminal } = session;
  const { currency, minor }: Money = readMoney(amount);
  const topUp = await session.call<TopUp>('/api/wallet/top-ups', { body: { currency, amount: minor } });
  if (json) terminal.print(JSON.stringify(topUp));
  else if (topUp.redirectUrl) terminal.say(`Complete the payment in your browser: ${plainLine(topUp.redirectUrl)}`);
  else terminal.say(`Added ${formatMoney({ currency, minor })} to your wallet.`);
}

/** Adds `parley wallet`. */
export function addWallet(program: Command, { act, all }: CommandContext): void {
  const wallet = program.command('wallet').description('show and top up your wallet');
  wallet
    .command('show', { isDefault: true })
    .description('show the balances')
    .action(() => act((session) => showWallet(session, all({}))));
  wallet
    .command('topup')
    .description('add an amount to the wallet')
    .argument('<amount>', 'amount and currency, such as 20.00EUR')
    .action((amount: string) => act((session) => topUpWallet(session, amount, all({}))));
}
