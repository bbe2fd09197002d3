/** The nodes that a program calls by a list of their addresses. */
@NullMarked
package io.millrace.samples.peers;

import org.jspecify.annotations.NullMarked;
