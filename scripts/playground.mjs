// npm run trial: runs the getting-started page of a running Parley in an empty folder and prints the duration.
// PARLEY_TOKEN=… npm run trial -- http://localhost:3000 (Parley started with AGENT_URL_ALLOW=http://localhost:*)
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CliError, runMain } from './cli-output.mjs';
import { freePort } from './processes.mjs';
import { ROOT } from './program.mjs';

const PAGE = '/docs/getting-started.md';

await runMain(async () => {
  const [origin = 'http://localhost:3000'] = process.argv.slice(2);
  if (!process.env.PARLEY_TOKEN)
    throw new CliError('set PARLEY_TOKEN to an access token from Settings → Access tokens');
  const startedAt = performance.now();
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-trial-'));
  const packed = mkdtempSync(path.join(tmpdir(), 'parley-packed-'));
  try {
    const reply = await followDocs(await readPage(origin), { folder, packed, origin });
    console.log(
      `\n${reply.trim()}\n\nListed and answering after ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes.`,
    );
  } finally {
    for (const temporary of [folder, packed]) rmSync(temporary, { recursive: true, force: true });
  }
});

async function readPage(origin) {
  const response = await fetch(`${origin}${PAGE}`);
  if (!response.ok) throw new CliError(`${origin}${PAGE} returned status ${response.status}; is Parley running there?`);
  const blocks = [...(await response.text()).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, language, text]) => ({ language, text }));
}

/** Runs the code blocks in order. Replaces the manual steps: signing in, copying ids, and using a second terminal. */
async function followDocs(blocks, { folder, packed, origin }) {
  const port = String(await freePort());
  const slug = `greeter-${Date.now().toString(36)}`;
  const home = path.join(folder, 'greeter');
  const env = { ...process.env, PARLEY_API_URL: origin, PARLEY_CONFIG_DIR: path.join(folder, 'config'), PORT: port };
  const [install, app, run, register, send] = blocks
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);
  const sample = blocks.find(({ language }) => language === 'js')?.text;
  if (!sample || !send) throw new CliError(`the page ${PAGE} has other blocks than this script follows`);

  const [pack = '', ...rest] = install.replaceAll('/tmp', packed).split('\n');
  sh(pack, { cwd: ROOT, env });
  sh(rest.join('\n'), { cwd: folder, env });
  writeFileSync(path.join(home, 'agent.mjs'), sample);
  const created = sh(app.replace(/^.*auth login.*$/m, ''), { cwd: home, env });
  const printed = (label) =>
    new RegExp(`^${label} +(\\S+)$`, 'm').exec(created)?.[1] ?? refuse(`apps create printed no ${label}:\n${created}`);
  const credentials = {
    PARLEY_AGENT: slug,
    PARLEY_CLIENT_ID: printed('Client ID'),
    PARLEY_CLIENT_SECRET: printed('Client secret'),
  };
  const agent = spawn('bash', ['-c', lastLine(run)], {
    cwd: home,
    env: { ...env, ...credentials },
    detached: true,
    stdio: 'inherit',
  });
  try {
    await untilResponding(`http://localhost:${port}/.well-known/agent-card.json`);
    const id = /app_\w+/.exec(created)?.[0] ?? refuse(`apps create printed no id:\n${created}`);
    sh(`${register.trim().replace('app_…', id).replace('localhost:4000', `localhost:${port}`)} --slug ${slug}`, {
      cwd: home,
      env,
    });
    return sh(send.replace('greeter', slug), { cwd: home, env });
  } finally {
    process.kill(-agent.pid);
  }
}

function sh(command, options) {
  console.log(command.trim().replace(/^/gm, '$ '));
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', command], { ...options, encoding: 'utf8' });
  if (status !== 0) refuse(`ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

function refuse(text) {
  throw new CliError(text);
}

function lastLine(text) {
  return text.trim().split('\n').at(-1);
}

async function untilResponding(url) {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  refuse(`${url} does not answer`);
}
