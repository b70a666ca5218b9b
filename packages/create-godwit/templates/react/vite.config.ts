import { godwit } from '@godwit/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env['GODWIT_URL'] ?? 'http://127.0.0.1:8675'

export default defineConfig({ plugins: [react(), godwit({ server })] })
