/** One request to several peers, with a typed answer of each peer, and quorums of the answers. */
@NullMarked
package io.millrace.api.many;

import org.jspecify.annotations.NullMarked;
