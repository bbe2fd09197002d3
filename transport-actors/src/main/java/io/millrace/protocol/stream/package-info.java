/**
 * Streams of elements: the decisions of each side of a flow. A stream has at most two flows, one
 * each way; each is numbered, credited and closed by itself. Rules S-1 to S-10 of the protocol.
 */
@NullMarked
package io.millrace.protocol.stream;

import org.jspecify.annotations.NullMarked;
