package io.millrace.api;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import java.util.Map;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's AES-GCM for code that names no provider, such as handshakes, with every seal written
 * down.
 */
final class RecordingSecurity extends Provider {
  private static final long serialVersionUID = 1L;
  private static final String TRANSFORMATION = "AES/GCM/NoPadding";

  private final transient SealLog log;

  RecordingSecurity(SealLog log) {
    super("MillraceRecording", "1", "writes down the seals of handshakes");
    this.log = log;
    putService(new CipherService(this));
  }

  private static final class CipherService extends Provider.Service {
    private final RecordingSecurity provider;

    CipherService(RecordingSecurity provider) {
      super(provider, "Cipher", TRANSFORMATION, RecordingSpi.class.getName(), List.of(), Map.of());
      this.provider = provider;
    }

    @Override
    public Object newInstance(@Nullable Object parameter) throws NoSuchAlgorithmException {
      try {
        return new RecordingSpi(provider.log, Cipher.getInstance(TRANSFORMATION, "SunJCE"));
      } catch (GeneralSecurityException e) {
        throw new NoSuchAlgorithmException(e);
      }
    }
  }

  /** A cipher that passes all calls on. */
  private static final class RecordingSpi extends CipherSpi {
    private final SealLog log;
    private final Cipher real;

    RecordingSpi(SealLog log, Cipher real) {
      this.log = log;
      this.real = real;
    }

    @Override
    protected void engineInit(
        int mode, Key key, AlgorithmParameterSpec parameters, SecureRandom random)
        throws InvalidKeyException, InvalidAlgorithmParameterException {
      if (mode == Cipher.ENCRYPT_MODE) {
        byte[] nonce = ((GCMParameterSpec) parameters).getIV();
        log.add(SealLog.Kind.HANDSHAKE, SealLog.digest(key.getEncoded()), nonce);
      }
      real.init(mode, key, parameters, random);
    }

    @Override
    protected void engineInit(int mode, Key key, SecureRandom random) {
      throw new UnsupportedOperationException("nobody leaves the choice of nonces to the JDK");
    }

    @Override
    protected void engineInit(int mode, Key key, AlgorithmParameters some, SecureRandom random) {
      throw new UnsupportedOperationException("handshakes give their nonces as a specification");
    }

    @Override
    protected void engineUpdateAAD(byte[] source, int offset, int length) {
      real.updateAAD(source, offset, length);
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int offset, int length) {
      return real.update(input, offset, length);
    }

    @Override
    protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int to)
        throws ShortBufferException {
      return real.update(input, offset, length, output, to);
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int offset, int length)
        throws IllegalBlockSizeException, BadPaddingException {
      return real.doFinal(input, offset, length);
    }

    @Override
    protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int to)
        throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
      return real.doFinal(input, offset, length, output, to);
    }

    @Override
    protected void engineSetMode(String mode) {
      throw new UnsupportedOperationException("the transformation says the mode");
    }

    @Override
    protected void engineSetPadding(String padding) {
      throw new UnsupportedOperationException("the transformation says the padding");
    }

    @Override
    protected int engineGetBlockSize() {
      return real.getBlockSize();
    }

    @Override
    protected int engineGetOutputSize(int inputLength) {
      return real.getOutputSize(inputLength);
    }

    @Override
    protected byte[] engineGetIV() {
      return real.getIV();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
      return real.getParameters();
    }
  }
}
