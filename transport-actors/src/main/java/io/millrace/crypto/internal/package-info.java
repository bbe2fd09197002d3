/** The AES-GCM implementations; reached through {@link io.millrace.crypto.AeadProviders} only. */
@NullMarked
package io.millrace.crypto.internal;

import org.jspecify.annotations.NullMarked;
