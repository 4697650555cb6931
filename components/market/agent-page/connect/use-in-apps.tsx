import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import { settingsRoutes } from '../../../settings-routes';
import { buttonClass } from '../../../ui/controls/button';
import { CodeBlock } from '../../../ui/display/code-block';
import { ChevronDownIcon } from '../../../ui/display/icons';
import {
  claudeCodeCommand,
  cursorConfig,
  cursorLink,
  liteLlmConfig,
  type ModelTarget,
  openAiProgram,
  openWebUiSettings,
  vsCodeConfig,
  vsCodeLink,
} from './app-configs';

/** Instructions for using an agent in assistants, editors and apps for models: links, and text to copy. */
export function UseInApps({ agent }: { agent: AgentDetail }): ReactNode {
  const t = useTranslations('market.useInApps');
  const server = { name: agent.slug, url: `${agent.url}/mcp` };
  const url = <CodeBlock code={server.url} label={t('serverUrl')} />;
  const inEditor = (props: EditorProps): Pick<App, 'steps' | 'children'> => ({
    steps: { press: t('editor.press'), signIn: t('editor.signIn') },
    children: <Editor {...props} />,
  });
  const apps: App[] = [
    {
      id: 'claude',
      name: t('names.claude'),
      steps: { open: t('claude.open'), add: t('claude.add'), connect: t('claude.connect') },
      children: url,
    },
    {
      id: 'chatgpt',
      name: t('names.chatgpt'),
      steps: { mode: t('chatgpt.mode'), create: t('chatgpt.create'), connect: t('chatgpt.connect') },
      children: url,
    },
    {
      id: 'claude-code',
      name: t('names.claudeCode'),
      steps: { run: t('claudeCode.run'), signIn: t('claudeCode.signIn') },
      children: <CodeBlock code={claudeCodeCommand(server)} label={t('command')} />,
    },
    {
      id: 'cursor',
      name: t('names.cursor'),
      ...inEditor({
        button: t('addToCursor'),
        config: cursorConfig(server),
        file: '~/.cursor/mcp.json',
        href: cursorLink(server),
      }),
    },
    {
      id: 'vs-code',
      name: t('names.vsCode'),
      ...inEditor({
        button: t('addToVsCode'),
        config: vsCodeConfig(server),
        file: '.vscode/mcp.json',
        href: vsCodeLink(server),
      }),
    },
    {
      id: 'model',
      name: t('asModel'),
      steps: { token: t.rich('model.token', { settings }), enter: t('model.enter') },
      children: <ModelSettings slug={agent.slug} url={`${new URL(agent.url).origin}/v1`} />,
    },
  ];
  return (
    <>
      {agent.url.startsWith('https:') ? null : <p className="mb-4 text-sm text-muted">{t('needsHttps')}</p>}
      <AppList apps={apps} />
    </>
  );
}

function settings(chunks: ReactNode): ReactNode {
  return (
    <Link className="text-link" href={settingsRoutes.accessTokens} prefetch={false}>
      {chunks}
    </Link>
  );
}

function ModelSettings(target: ModelTarget): ReactNode {
  const t = useTranslations('market.useInApps');
  return (
    <>
      <CodeBlock code={openAiProgram(target)} label={t('openAi')} />
      <CodeBlock code={liteLlmConfig(target)} label={t('liteLlm')} />
      <CodeBlock code={openWebUiSettings(target)} label={t('openWebUi')} />
    </>
  );
}

interface EditorProps {
  button: string;
  href: string;
  config: string;
  /** The file in which the configuration is written by hand. */
  file: string;
}

function Editor({ button, href, config, file }: EditorProps): ReactNode {
  return (
    <>
      <a className={buttonClass({ tone: 'primary' })} href={href}>
        {button}
      </a>
      <CodeBlock code={config} label={file} />
    </>
  );
}

interface App {
  id: string;
  name: string;
  /** The steps in order, by name. */
  steps: Record<string, ReactNode>;
  /** The text to copy or the button to press. */
  children: ReactNode;
}

/** Apps with their instructions, of which one is open at a time. Works without JavaScript. */
function AppList({ apps }: { apps: App[] }): ReactNode {
  return (
    <div className="divide-y divide-line rounded-lg border border-line bg-surface">
      {apps.map(({ id, name, steps, children }, index) => (
        <details id={`app-${id}`} key={id} name="app" open={index === 0}>
          <summary className="bare-summary flex min-h-11 items-center gap-3 px-4 py-2.5 hover:bg-sunken">
            <h3 className="flex-1 text-sm font-semibold">{name}</h3>
            <ChevronDownIcon className="chevron" size={16} />
          </summary>
          <div className="space-y-4 px-4 pt-1 pb-5">
            <ol className="list-decimal space-y-1.5 ps-5 text-sm">
              {Object.entries(steps).map(([step, text]) => (
                <li key={step}>{text}</li>
              ))}
            </ol>
            {children}
          </div>
        </details>
      ))}
    </div>
  );
}
