import { createContext } from 'react';

/** The person that looks at the page: signed in, a guest who has sent a message, or neither. */
export type Viewer = 'user' | 'guest' | 'visitor';

/** The conversation of a guest, whose carts cannot be paid; null for users. */
export const GuestConversationContext = createContext<string | null>(null);
