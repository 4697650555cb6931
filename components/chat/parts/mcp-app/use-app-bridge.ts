import { type RefObject, useEffect, useRef, useState } from 'react';
import type { JsonObject } from '../../../../lib/protocol/json';
import { MCP_APP_HEIGHT } from '../../../../lib/protocol/limits';
import {
  answersTo,
  busy,
  contextChanged,
  decided,
  type HostContext,
  resourceReady,
} from '../../../../lib/protocol/mcp-apps/host-messages';
import type { McpApp } from '../../../../lib/protocol/mcp-apps/read-app';
import { readFrameMessage, type Wish } from '../../../../lib/protocol/mcp-apps/read-frame-message';

interface BridgeOptions {
  frame: RefObject<HTMLIFrameElement | null>;
  app: McpApp;
  page: string;
  contextNow: () => HostContext;
  onStop: () => void;
}

interface OpenWish {
  id: string | number;
  wish: Wish;
}

export interface AppBridge {
  /** The height that the app asked for, within the limits; null before it has. */
  height: number | null;
  /** What the person has to decide about; null if there is nothing. */
  wish: Wish | null;
  /** Ends the decision. */
  decide: (isGranted: boolean) => void;
}

/** Connects the page with an app in its sandbox. Only messages of that frame are read. */
export function useAppBridge(options: BridgeOptions): AppBridge {
  const { frame, app, page } = options;
  const [height, setHeight] = useState<number | null>(null);
  const [open, setOpen] = useState<OpenWish | null>(null);
  const latest = useRef({ ...options, isOpen: open !== null });
  latest.current = { ...options, isOpen: open !== null };

  useEffect(() => {
    const post = (message: JsonObject): void => frame.current?.contentWindow?.postMessage(message, '*');
    function onMessage({ source, data }: MessageEvent): void {
      if (!frame.current || source !== frame.current.contentWindow) return;
      if (data?.method === 'ui/notifications/sandbox-proxy-ready') post(resourceReady(page));
      if (data?.method === 'parley/stopped') latest.current.onStop();
      const message = readFrameMessage(data);
      if (message?.kind === 'size') {
        setHeight(Math.min(Math.max(Math.ceil(message.height), MCP_APP_HEIGHT.min), MCP_APP_HEIGHT.max));
      } else if (message?.kind === 'wish') {
        const { id, wish } = message;
        if (latest.current.isOpen) post(busy(id));
        else setOpen({ id, wish });
        latest.current.isOpen = true;
      } else if (message) {
        for (const answer of answersTo(message, app, latest.current.contextNow())) post(answer);
      }
    }
    window.addEventListener('message', onMessage);
    const themes = new MutationObserver(() => post(contextChanged(latest.current.contextNow())));
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      window.removeEventListener('message', onMessage);
      themes.disconnect();
    };
  }, [app, frame, page]);

  function decide(isGranted: boolean): void {
    if (!open) return;
    setOpen(null);
    frame.current?.focus();
    frame.current?.contentWindow?.postMessage(decided(open.id, open.wish, isGranted), '*');
  }

  return { height, wish: open?.wish ?? null, decide };
}
