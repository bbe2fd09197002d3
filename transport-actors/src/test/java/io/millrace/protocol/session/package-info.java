@NullMarked
package io.millrace.protocol.session;

import org.jspecify.annotations.NullMarked;
