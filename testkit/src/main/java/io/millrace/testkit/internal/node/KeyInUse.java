package io.millrace.testkit.internal.node;

import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;

/**
 * A key in use by a cipher of a life of a node.
 *
 * @param life owner of the cipher
 * @param use whether the cipher seals or opens
 * @param name of the key
 * @param nonceTail combined with a packet's number by XOR; 0 for records
 * @param limits how much the key may seal
 */
public record KeyInUse(
    NodeLife life, CipherUse use, KeyName name, long nonceTail, KeyLimits limits) {}
