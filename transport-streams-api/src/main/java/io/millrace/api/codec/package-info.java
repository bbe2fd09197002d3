/**
 * Codecs turn values into the bytes of messages and back. The transport itself knows no encoding.
 */
@NullMarked
package io.millrace.api.codec;

import org.jspecify.annotations.NullMarked;
