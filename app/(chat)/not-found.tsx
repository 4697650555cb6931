import type { ReactNode } from 'react';
import { ChatMissing } from '@/components/chat/screen/chat-home';

export default function ChatNotFound(): ReactNode {
  return <ChatMissing />;
}
