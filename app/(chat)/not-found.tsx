import type { ReactNode } from 'react';
import { ChatMissing } from '@/components/chat/chat-missing';

export default function ChatNotFound(): ReactNode {
  return <ChatMissing />;
}
