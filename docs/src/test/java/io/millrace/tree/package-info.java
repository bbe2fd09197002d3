/**
 * Checks over the whole tree: who may import what, sizes, names, words, links, and the protocol
 * document.
 */
@NullMarked
package io.millrace.tree;

import org.jspecify.annotations.NullMarked;
