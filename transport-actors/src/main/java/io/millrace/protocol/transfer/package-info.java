/** Sans-IO machines of transfers: ids, calls under way on either side, inline credit. */
@NullMarked
package io.millrace.protocol.transfer;

import org.jspecify.annotations.NullMarked;
