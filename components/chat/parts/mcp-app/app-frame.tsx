import { useLocale, useTranslations } from 'next-intl';
import { type ReactNode, useRef } from 'react';
import { MCP_APP_HEIGHT } from '../../../../lib/protocol/limits';
import type { McpApp } from '../../../../lib/protocol/mcp-apps/read-app';
import { useClock } from '../../../ui/display/date-time';
import type { CardReply } from '../../state/message-content';
import { isDark } from '../markdown/is-dark';
import { AppWish } from './app-wish';
import { hostVariables } from './host-theme';
import { useAppBridge } from './use-app-bridge';

interface AppFrameProps {
  app: McpApp;
  page: string;
  agentName: string;
  /** Called if the app has sent too many messages. */
  onStop: () => void;
  /** Sends a message on behalf of the user. Absent if the app is history. */
  send: ((reply: CardReply) => void) | undefined;
}

/** An app in its sandbox, and what it asks the person for. */
export function AppFrame({ app, page, agentName, onStop, send }: AppFrameProps): ReactNode {
  const t = useTranslations('parts.mcpApp');
  const frame = useRef<HTMLIFrameElement>(null);
  const locale = useLocale();
  const { timeZone } = useClock();
  const canSend = send !== undefined;
  const { height, wish, decide } = useAppBridge({
    ...{ frame, app, page, onStop },
    contextNow: () => ({
      ...{ theme: isDark() ? 'dark' : 'light', locale, timeZone, canSend },
      ...{ variables: hostVariables(), maxHeight: MCP_APP_HEIGHT.max },
    }),
  });
  return (
    <>
      <iframe
        className="block w-full border-t border-line"
        ref={frame}
        referrerPolicy="no-referrer"
        sandbox="allow-scripts"
        src="/api/chat/apps/frame"
        style={{ height: height ?? 240 }}
        title={t('title', { agent: agentName })}
      />
      {wish ? (
        <AppWish
          agentName={agentName}
          canSend={canSend}
          onDecide={(reply) => {
            if (reply !== null && reply !== 'opened') send?.(reply);
            decide(reply !== null);
          }}
          wish={wish}
        />
      ) : null}
    </>
  );
}
