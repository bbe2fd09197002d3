@org.jspecify.annotations.NullMarked
package io.millrace.api.codec.jackson;
