# Prints an agent's answer, event by event. Needs PARLEY_API_URL, PARLEY_TOKEN and AGENT.
json() { node -pe "JSON.parse(require('fs').readFileSync(0)).$1"; }

TOKEN=$(curl -s -H "Authorization: Bearer $PARLEY_TOKEN" -H 'Content-Type: application/json' \
  -d '{"agentSlug":"'"$AGENT"'"}' "$PARLEY_API_URL/api/auth/handshake" | json token)

curl -sN -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \
  "$PARLEY_API_URL/agents/$AGENT/a2a/jsonrpc" -d '{
    "jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage",
    "params": { "message": { "messageId": "'"$(node -pe 'crypto.randomUUID()')"'", "role": "ROLE_USER",
      "parts": [{ "text": "Good morning" }] } }
  }'
