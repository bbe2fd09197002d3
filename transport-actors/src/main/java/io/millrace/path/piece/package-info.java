/** Frames that are longer than the datagrams of their path, sent in pieces. */
@NullMarked
package io.millrace.path.piece;

import org.jspecify.annotations.NullMarked;
