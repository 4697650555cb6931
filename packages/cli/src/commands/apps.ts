import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, wholeNumber } from '../command-line.js';
import type { Session } from '../session.js';
import { plainLine } from '../terminal.js';

interface AppSecret {
  id: string;
  prefix: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
}

interface App {
  id: string;
  name: string;
  clientId: string;
  secrets: AppSecret[];
}

interface Json {
  json?: boolean;
}

/** Prints the user's developer apps, each with its valid secrets. */
async function listApps(session: Session, { json }: Json): Promise<void> {
  const { terminal } = session;
  const { items } = await session.call<{ items: App[] }>('/api/apps');
  if (json) {
    terminal.print(JSON.stringify({ items }));
    return;
  }
  for (const { id, name, clientId, secrets } of items) {
    terminal.print(`${terminal.paint('bold', id)}  ${plainLine(name)}  client ID ${clientId}`);
    for (const secret of secrets) {
      terminal.print(`  ${secret.id}  ${secret.prefix}…  ${useOf(secret)}`);
    }
  }
  if (items.length === 0) terminal.say('No apps yet. Create one with: parley apps create "My agents"');
}

function useOf({ lastUsedAt, expiresAt }: AppSecret): string {
  const used = lastUsedAt ? `last used ${lastUsedAt}` : 'never used';
  return expiresAt ? `${used}, ends ${expiresAt}` : used;
}

/** Creates an app. Its secret is printed only once. */
async function createApp(session: Session, name: string, { json }: Json): Promise<void> {
  const app = await session.call<App & { clientSecret: string }>('/api/apps', { body: { name } });
  printSecret(session, app, json);
}

/**
 * Adds a second secret, so that the first can be revoked without downtime; with `othersEndInHours` the other secrets
 * expire automatically. The new secret is printed only once.
 */
async function addSecret(
  session: Session,
  appId: string,
  options: Json & { expiresInDays?: number; othersEndInHours?: number },
): Promise<void> {
  const { json, expiresInDays, othersEndInHours } = options;
  const path = `/api/apps/${encodeURIComponent(appId)}/secrets`;
  const app = await session.call<App & { clientSecret: string }>(path, {
    body: { expiresInDays, othersEndInHours },
  });
  printSecret(session, app, json);
}

function printSecret({ terminal }: Session, app: App & { clientSecret: string }, json: boolean | undefined): void {
  if (json) {
    terminal.print(JSON.stringify(app));
    return;
  }
  terminal.print(`App            ${app.id}`);
  terminal.print(`Client ID      ${app.clientId}`);
  terminal.print(`Client secret  ${app.clientSecret}`);
  terminal.say('The secret is shown only once. Store it where your agent can read it.');
}

async function removeSecret(session: Session, appId: string, secretId: string): Promise<void> {
  const path = `/api/apps/${encodeURIComponent(appId)}/secrets/${encodeURIComponent(secretId)}`;
  await session.call(path, { method: 'DELETE' });
  session.terminal.say('Removed. Agents that use this secret can no longer authenticate.');
}

/** Adds `parley apps`. */
export function addApps(program: Command, { act, all }: CommandContext): void {
  const apps = program.command('apps').description('manage your developer apps, the credentials of your agents');
  apps
    .command('list')
    .description('list your apps and their secrets')
    .action(() => act((session) => listApps(session, all({}))));
  apps
    .command('create')
    .description('create an app; its secret is printed only once')
    .argument('<name>')
    .action((name: string) => act((session) => createApp(session, name, all({}))));
  apps
    .command('add-secret')
    .description('add a second secret, to rotate without downtime')
    .argument('<app>', 'ID of the app')
    .option('--expires-in-days <n>', 'days until the secret expires, 1 to 366', wholeNumber(366))
    .option('--others-end-in-hours <n>', 'hours until the earlier secrets expire: 0, 1, 24 or 168', readOverlap)
    .action((app: string, options: { expiresInDays?: number; othersEndInHours?: number }) =>
      act((session) => addSecret(session, app, all(options))),
    );
  apps
    .command('remove-secret')
    .description('remove a secret')
    .argument('<app>', 'ID of the app')
    .argument('<secret>', 'ID of the secret')
    .action((app: string, secret: string) => act((session) => removeSecret(session, app, secret)));
}

function readOverlap(text: string): number {
  if (['0', '1', '24', '168'].includes(text)) return Number(text);
  throw new InvalidArgumentError('Expected 0, 1, 24 or 168.');
}
