@NullMarked
package io.millrace.path.network;

import org.jspecify.annotations.NullMarked;
