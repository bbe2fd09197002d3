/** Sans-IO machines of a path: what datagrams it carries. */
@NullMarked
package io.millrace.protocol.session;

import org.jspecify.annotations.NullMarked;
