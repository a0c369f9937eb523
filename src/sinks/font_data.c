/*
 * The font files, taken into the program when it is built (Makefile: FONTDIR). Their licence allows
 * this; no font lies in the source tree.
 */
#define INCLUDE_FILE(symbol, path)                         \
	__asm__(".section .rodata\n"                       \
		".global " #symbol "\n"                    \
		".global " #symbol "_end\n"                \
		".balign 16\n" #symbol ":\n"               \
		".incbin \"" path "\"\n" #symbol "_end:\n" \
		".byte 0\n"                                \
		".previous\n")

INCLUDE_FILE(font_sans, FONTDIR "/DejaVuSans.ttf");
INCLUDE_FILE(font_bold, FONTDIR "/DejaVuSans-Bold.ttf");
