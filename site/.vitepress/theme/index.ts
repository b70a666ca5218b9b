import DefaultTheme from 'vitepress/theme'
import './style.css'

/** VitePress's theme, with Godwit's color, and pictures for light or dark mode. */
export default DefaultTheme
