/**
 * Checks over the whole tree: allowed imports, sizes, names, words, links, and the protocol
 * document.
 */
@NullMarked
package io.millrace.tree;

import org.jspecify.annotations.NullMarked;
