/** Sans-IO machines of a path: the datagrams that the path carries. */
@NullMarked
package io.millrace.protocol.session;

import org.jspecify.annotations.NullMarked;
