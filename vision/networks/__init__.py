"""The four networks: where cards lie in a photo, and which cards they are.

1. `network`   runs an ONNX file in OpenCV's DNN module
2. `locate`    photo -> rough quadrilaterals of cards (locate.onnx)
3. `refine`    rough quadrilaterals -> exact ones, each with a score (refine.onnx)
4. `classify`  what identify and index share: crops -> class probabilities
5. `index`     the corners of a card -> class probabilities of the card (index.onnx)
6. `identify`  the whole card (identify.onnx) and its corners -> class probabilities
"""
